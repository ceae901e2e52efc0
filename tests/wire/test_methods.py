"""Method options: every rpc declares its role, and clients and servers read the same declarations."""

import pytest
from google.longrunning import operations_pb2
from google.protobuf.descriptor_pb2 import MethodOptions

from sengoku.v1 import options_pb2
from sengoku.wire.methods import ROLES, MethodInfo, method_options, methods

OURS = [method for method in methods() if method.full_name.startswith("sengoku.v1.")]


@pytest.mark.parametrize("method", OURS, ids=lambda method: method.full_name)
def test_every_method_declares_a_role(method) -> None:
    options = method.GetOptions()
    role = options_pb2.Role.Name(options.Extensions[options_pb2.required_role])
    assert role.removeprefix("ROLE_").lower() == method_options(method.full_name).role
    assert role != "ROLE_UNSPECIFIED"


def test_readers_change_nothing() -> None:
    """A method that the role `read` may call has no side effects."""
    for method in OURS:
        if method_options(method.full_name).role == "read":
            assert method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS, method.full_name


def test_methods_with_a_key_have_the_field() -> None:
    keyed = [method for method in OURS if method.GetOptions().Extensions[options_pb2.idempotency_key]]
    assert {method.name for method in keyed} == {"StartRun", "CreateTournament", "AnalyseMatch"}
    for method in keyed:
        key = method.GetOptions().Extensions[options_pb2.idempotency_key]
        assert key in method.input_type.fields_by_name
        assert method_options(method.full_name).can_retry


def test_methods_that_can_be_retried() -> None:
    """A second call of these would do something else than the first."""
    once = {method.name for method in methods() if not method_options(method.full_name).can_retry}
    assert once == {
        *("CreateMatch", "LoadMatch", "Play", "DeleteMatch", "Step", "Connect", "PlayMatches"),
        *("DeleteTournament", "DeleteOperation", "ResumeRun", "DeleteAnalysis", "SayInMatch"),
    }


def test_every_foreign_method_is_in_the_table() -> None:
    file = operations_pb2.GetOperationRequest.DESCRIPTOR.file
    for method in file.services_by_name["Operations"].methods:
        assert method_options(method.full_name).role in ROLES
        assert method_options(f"/{method.containing_service.full_name}/{method.name}").role in ROLES


def test_an_unknown_method_has_no_options() -> None:
    with pytest.raises(KeyError):
        method_options("sengoku.v1.OddsService.Guess")


def test_a_method_is_found_by_name_and_by_path() -> None:
    info = MethodInfo("run", can_retry=True)
    assert method_options("sengoku.v1.OddsService.Evaluate") == info
    assert method_options("/sengoku.v1.OddsService/Evaluate") == info
