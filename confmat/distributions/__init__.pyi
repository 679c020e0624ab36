from . import med_distribution as med_distribution
from . import rand_distribution as rand_distribution
from .from_class import distribution as distribution
from .from_class import joint_distribution as joint_distribution
from .multivariate import JointDistribution as JointDistribution
from .univariate import Distribution as Distribution
