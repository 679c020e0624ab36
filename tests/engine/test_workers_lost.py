"""Workers, schedulers and clusters that are not there, or are others: one line, and how to resume."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future

import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.errors import WorkersLostError


class Lost(Executor):
    """Workers that do two parts and are gone."""

    def __init__(self, error):
        self.error, self.done = error, 0

    def submit(self, function, /, *arguments, **keywords):
        future = Future()
        self.done += 1
        if self.done <= 2:
            future.set_result(function(*arguments))
        else:
            future.set_exception(self.error)
        return future


@pytest.mark.usefixtures("many_pieces", "histograms")
@pytest.mark.parametrize("error", [CancelledError(), BrokenExecutor("a process died")])
def test_lost_workers_are_one_error_that_says_how_to_resume(tmp_path, error):
    tables, names = cm.Tables(12, 3, 3), ("med", "rd", "ard")
    for folder, says in ((tmp_path, f"finished parts are in {tmp_path}"), (None, "Pass a checkpoint")):
        limits = cm.Limits(executor=Lost(error), checkpoint=folder)
        with pytest.raises(WorkersLostError, match=says):
            _ = list(cm.joint_distribution(tables, *names, limits=limits))
    assert len(list(tmp_path.glob("*.npz"))) <= 2
    resumed = cm.joint_distribution(tables, *names, limits=cm.Limits(checkpoint=tmp_path))
    assert resumed.digest == cm.joint_distribution(tables, *names).digest


def test_an_error_of_the_work_is_not_a_loss(monkeypatch):
    limits = cm.Limits(executor=Lost(ZeroDivisionError("in a kernel")))
    with pytest.raises(ZeroDivisionError):
        _ = list(cm.joint_distribution(cm.Tables(24, 4, 4), "med", "rd", "ard", limits=limits))


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    started = []

    def start(**options):
        started.append(
            distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, **options)
        )
        return started[-1].scheduler_address

    yield start
    for one in started:
        one.close()


@pytest.mark.slow
def test_a_killed_scheduler_is_one_line(tmp_path):
    """As a process of its own, which can be killed; the worker goes with it."""
    pytest.importorskip("distributed")
    program = (
        "import distributed\n"
        "if __name__ == '__main__':\n"
        "    c = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)\n"
        "    print(c.scheduler_address, flush=True)\n"
        "    input()\n"
    )
    (tmp_path / "cluster.py").write_text(program)
    scheduler = subprocess.Popen(
        [sys.executable, tmp_path / "cluster.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    address, folder = scheduler.stdout.readline().strip(), tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        "confmat",
        "table",
        "30",
        "4",
        "4",
        "--scheduler",
        address,
        "--checkpoint",
        folder,
    ]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    while run.poll() is None and not list(folder.glob("*.npz")):
        pass
    scheduler.kill()
    error = run.communicate()[1]
    assert run.returncode == 2
    assert error.count("\n") == 1
    assert f"finished parts are in {folder}: run the same again to resume" in error


@pytest.mark.slow
def test_workers_with_another_confmat_are_refused(confmat, cluster, monkeypatch):
    address = cluster()
    monkeypatch.setattr("confmat.cli.limits.package_digest", os.getpid)
    assert "has workers with another version of confmat: tcp://" in fail(
        confmat("table", 12, 3, 3, "--scheduler", address)
    )


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made by openssl")
def test_a_cluster_behind_tls(confmat, cluster, tmp_path):
    from distributed.security import Security

    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = ["-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-keyout", key, "-out", certificate, *subject],
        check=True,
        capture_output=True,
    )
    files = {"tls_ca_file": certificate, "tls_client_cert": certificate, "tls_client_key": key}
    files |= {
        f"tls_{who}_{what}": x
        for who in ("scheduler", "worker")
        for what, x in (("cert", certificate), ("key", key))
    }
    security = Security(require_encryption=True, **{name: str(file) for name, file in files.items()})
    address = cluster(security=security, protocol="tls")
    given = ("table", 12, 3, 3, "--json", "--scheduler", address)
    import dask

    client = {"ca-file": str(certificate), "client": {"cert": str(certificate), "key": str(key)}}
    with dask.config.set({"distributed.comm.tls": client, "distributed.comm.require-encryption": True}):
        answer = succeed(confmat(*given))
    assert answer == succeed(confmat("table", 12, 3, 3, "--json"))
    assert "cannot be reached" in fail(confmat(*given))
