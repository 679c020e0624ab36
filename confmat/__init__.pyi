from . import archive as archive
from . import certificates as certificates
from . import classes as classes
from . import conjectures as conjectures
from . import contingency as contingency
from . import distributions as distributions
from . import errors as errors
from . import fixed_margins as fixed_margins
from . import graphs as graphs
from . import indices as indices
from . import plots as plots
from . import reports as reports
from . import sampling as sampling
from . import search as search
from . import significance as significance
from . import statistics as statistics
from . import testing as testing
from ._limits import Limits as Limits
from ._limits import Plan as Plan
from ._limits import limits as limits
from ._limits import plan as plan
from .classes import FixedColumns as FixedColumns
from .classes import FixedMargins as FixedMargins
from .classes import FixedRows as FixedRows
from .classes import MembershipGrids as MembershipGrids
from .classes import Tables as Tables
from .conjectures.checking import Conjecture as Conjecture
from .conjectures.checking import check as check
from .conjectures.verification import verify as verify
from .contingency.labels import contingency_matrix as contingency_matrix
from .distributions.from_class import distribution as distribution
from .distributions.from_class import joint_distribution as joint_distribution
from .distributions.multivariate import JointDistribution as JointDistribution
from .distributions.univariate import Distribution as Distribution
from .indices.classification import accuracy as accuracy
from .indices.classification import auc as auc
from .indices.classification import balanced_accuracy as balanced_accuracy
from .indices.classification import confusion_matrix as confusion_matrix
from .indices.classification import f1_score as f1_score
from .indices.classification import f_beta as f_beta
from .indices.classification import fbeta_score as fbeta_score
from .indices.classification import kappa as kappa
from .indices.classification import mcc as mcc
from .indices.classification import precision_score as precision_score
from .indices.classification import recall_score as recall_score
from .indices.classification.macro import f1 as f1
from .indices.classification.macro import precision as precision
from .indices.classification.macro import recall as recall
from .indices.partition import ami as ami
from .indices.partition import ard as ard
from .indices.partition import ari as ari
from .indices.partition import chi2 as chi2
from .indices.partition import completeness as completeness
from .indices.partition import entropy_a as entropy_a
from .indices.partition import entropy_b as entropy_b
from .indices.partition import fisher_probability as fisher_probability
from .indices.partition import fm as fm
from .indices.partition import g2 as g2
from .indices.partition import homogeneity as homogeneity
from .indices.partition import jaccard as jaccard
from .indices.partition import med as med
from .indices.partition import mi as mi
from .indices.partition import mirkin as mirkin
from .indices.partition import nmed as nmed
from .indices.partition import nmi as nmi
from .indices.partition import nmi_geometric as nmi_geometric
from .indices.partition import nmi_joint as nmi_joint
from .indices.partition import nmi_max as nmi_max
from .indices.partition import nmi_min as nmi_min
from .indices.partition import nrd as nrd
from .indices.partition import pair_kappa as pair_kappa
from .indices.partition import purity as purity
from .indices.partition import rd as rd
from .indices.partition import ri as ri
from .indices.partition import v_measure as v_measure
from .indices.partition import van_dongen as van_dongen
from .indices.partition import vi as vi
from .indices.partition import wallace_ab as wallace_ab
from .indices.partition import wallace_ba as wallace_ba
from .reports.classification import classification_report as classification_report
from .reports.comparison import compare as compare
from .sampling import sample as sample
from .search import maximize as maximize
from .search import minimize as minimize
from .significance.exact_tests import exact_test as exact_test
from .significance.label_permutations import permutation_test as permutation_test
from .statistics.record import Statistic as Statistic
from .testing.contracts import check_metric as check_metric

__version__: str
acc = accuracy
accuracy_score = accuracy
adjusted_mutual_info_score = ami
adjusted_mutual_information = ami
adjusted_rand = ari
adjusted_rand_distance = ard
adjusted_rand_index = ari
adjusted_rand_score = ari
bacc = balanced_accuracy
balanced_accuracy_score = balanced_accuracy
bcr = balanced_accuracy
chi_squared = chi2
cohen_kappa = kappa
cohen_kappa_score = kappa
completeness_score = completeness
cor = accuracy
correct_rate = accuracy
f = f_beta
f1_weighted = f_beta
ffh = fisher_probability
fisher = fisher_probability
fowlkes_mallows = fm
fowlkes_mallows_index = fm
fowlkes_mallows_score = fm
homogeneity_score = homogeneity
jaccard_index = jaccard
likelihood_ratio = g2
macro_f1 = f1
macro_precision = precision
macro_recall = recall
matthews_corrcoef = mcc
matthews_correlation = mcc
mirkin_distance = mirkin
misclassification_error = med
misclassification_error_distance = med
mutual_info_score = mi
mutual_information = mi
normalised_mutual_information = nmi
normalized_med = nmed
normalized_mutual_info_score = nmi
normalized_mutual_information = nmi
normalized_rand_distance = nrd
pearson_chi2 = chi2
purity_score = purity
rand = ri
rand_distance = rd
rand_index = ri
rand_score = ri
roc_auc_score = auc
sensitivity = recall
table_probability = fisher_probability
v_measure_score = v_measure
van_dongen_distance = van_dongen
variation_of_information = vi
weighted_f1 = f_beta
