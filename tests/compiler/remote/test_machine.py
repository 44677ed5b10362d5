"""How another machine is named, and what is never taken for one."""

import shlex

import pytest

from compiler.remote.machine import Machine, chosen, protocol


def test_ssh_is_given_the_command_as_one_word_and_the_host_never_as_an_option() -> None:
    *ssh, host, command = Machine("me@box", python="/opt/my env/bin/python").command()
    assert ssh[0] == "ssh"
    assert ssh[-1] == "--"
    assert host == "me@box"
    assert shlex.split(command) == ["/opt/my env/bin/python", "-u", "-P", "-m", "torch_loupe.there"]


@pytest.mark.parametrize("host", ["-oProxyCommand=touch x", "", "a b", "a\nb"])
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="no host"):
        Machine(host).command()


def test_a_command_to_go_through_is_taken_apart_without_a_shell() -> None:
    command = Machine(through="docker exec -i 'my box'").command()
    assert command[:4] == ["docker", "exec", "-i", "my box"]
    with pytest.raises(ValueError, match="empty"):
        Machine(through="   ").command()


def test_the_environment_says_our_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen() is None
    machine = Machine("me@box", python="/opt/python")
    for name, value in machine.environment().items():
        monkeypatch.setenv(name, value)
    assert chosen() == machine


def test_both_ends_are_compared_by_what_they_send() -> None:
    assert len(protocol()) == 16
