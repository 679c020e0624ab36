"""Every guard of the package has a test that plants the fault: a list that a new guard fails until it stands in it."""

import ast
from collections import Counter
from pathlib import Path

import confmat

# Where the package raises when numbers disagree, a declaration is false, or a file is not what was written; and for
# each such line: the error, the function, and a test (file::name, without test_) in which it does.
PLANTED = """
ConsistencyError first_member witnesses::a_value_that_no_member_has
ConsistencyError examine witnesses::a_claim_that_shows_no_member
ConsistencyError confirm witnesses::a_counterexample_is_asked_again
ConsistencyError _check_bounds declared::bounds_and_theorems_of_ones_own_are_declared
ConsistencyError _compare_with_function walks::a_batch_must_agree_with_its_function
SymmetryError check_symmetry declared::false_symmetry_is_refused_with_an_example_when_the_statistic_is_made
CheckpointError Chunks.__init__ engine/run::an_unwritable_folder_is_an_error_before_work
CheckpointError Chunks._check engine/checkpoints::a_folder_with_other_temporary_files_is_left_alone
CheckpointError Chunks.load engine/checkpoints::each_altered_checkpoint_is_refused
CheckpointError Chunks.save engine/checkpoints::a_full_disk_leaves_nothing_behind
CheckpointError load stored_distributions::a_forged_law_does_not_add_up
CertificateError LawClaim.of_walk witnesses::a_second_walk_with_another_law
CertificateError read_certificate certificates::counts_and_digests_that_were_altered_are_rejected
CertificateError _said forgeries::a_forged_value_is_named
CertificateError OutcomeEntry.compare_count certificates::counts_and_digests_that_were_altered_are_rejected
CertificateError OutcomeEntry.from_json forgeries::every_change_is_found_by_the_package
CertificateError _compare_statements certificates::counts_and_digests_that_were_altered_are_rejected
CertificateError _compare_statements forgeries::a_certificate_shows_its_test_and_is_not_bound_to_it
CertificateError _compare_violations forgeries::counterexamples_of_others_and_later_ones_are_not_right
CertificateError _enumerated_again certificates::classes_that_are_repeated_or_foreign_are_rejected
CertificateError _enumerated_again certificates::classes_that_are_repeated_or_foreign_are_rejected
CertificateError _compare_outcomes certificates::certificate_of_a_false_statement_is_rejected
CertificateError _compare_outcomes certificates::counts_and_digests_that_were_altered_are_rejected
"""


def guards():
    """Every ``raise`` of these errors: its error and the function around it."""
    errors = {line.split()[0] for line in PLANTED.strip().splitlines()}

    def below(node, names):
        for child in ast.iter_child_nodes(node):
            inside = [*names, child.name] if isinstance(child, ast.FunctionDef | ast.ClassDef) else names
            match child:
                case ast.Raise(exc=ast.Call(func=ast.Name(id=error))) if error in errors:
                    yield error, ".".join(names)
            yield from below(child, inside)

    for path in Path(confmat.__file__).parent.rglob("*.py"):
        yield from below(ast.parse(path.read_text()), [])


def test_every_guard_is_listed_with_a_test():
    lines = [line.split() for line in PLANTED.strip().splitlines()]
    assert Counter(guards()) == Counter((error, where) for error, where, _ in lines)
    for *_, test in lines:
        file, name = test.split("::")
        (path,) = Path(__file__).parent.rglob(f"test_{Path(file).name}.py")
        assert f"\ndef test_{name}(" in path.read_text(), test
