"""The protos follow buf's rules STANDARD and COMMENTS: a table of our own, and buf where it can be had."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2 as pb

from protos.generate import compile_protos

PROTOS = Path(__file__).parents[2] / "protos"
BUF = "@bufbuild/buf@1.74.0"
EXCEPTION = ("StartRun", ".google.longrunning.Operation")
"""The one answer that is not called like its method: AIP-151 wants an operation."""

Files = list[pb.FileDescriptorProto]
Rule = Callable[[Files], Iterator[str]]
PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*")
SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
UPPER = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Puts a check into the table, under the names that buf has for it."""

    def put(check: Rule) -> Rule:
        RULES[" ".join(names)] = check
        return check

    return put


def enums(files: Files) -> Iterator[pb.EnumDescriptorProto]:
    for file in files:
        yield from file.enum_type
        for message in file.message_type:
            yield from message.enum_type


def messages(files: Files) -> Iterator[pb.DescriptorProto]:
    """Messages as they are written: the entries of maps are the compiler's."""
    for file in files:
        for message in file.message_type:
            yield message
            yield from (nested for nested in message.nested_type if not nested.options.map_entry)


def methods(files: Files) -> Iterator[tuple[pb.ServiceDescriptorProto, pb.MethodDescriptorProto]]:
    for file in files:
        for service in file.service:
            yield from ((service, method) for method in service.method)


def oneofs(message: pb.DescriptorProto) -> Iterator[str]:
    """Oneofs as they are written: that of an optional field is the compiler's."""
    made = {field.oneof_index for field in message.field if field.proto3_optional}
    yield from (oneof.name for index, oneof in enumerate(message.oneof_decl) if index not in made)


def upper(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


@rule("SYNTAX_SPECIFIED")
def syntax(files: Files) -> Iterator[str]:
    yield from (file.name for file in files if file.syntax != "proto3")


@rule("PACKAGE_DEFINED", "PACKAGE_LOWER_SNAKE_CASE", "PACKAGE_VERSION_SUFFIX")
def package_name(files: Files) -> Iterator[str]:
    for file in files:
        *names, version = file.package.split(".")
        if not names or not all(map(SNAKE.fullmatch, names)) or not re.fullmatch(r"v[1-9]\d*", version):
            yield file.name


@rule("DIRECTORY_SAME_PACKAGE", "PACKAGE_DIRECTORY_MATCH", "PACKAGE_SAME_DIRECTORY", "FILE_LOWER_SNAKE_CASE")
def place(files: Files) -> Iterator[str]:
    for file in files:
        path = Path(file.name)
        if path.parent.parts != tuple(file.package.split(".")) or not SNAKE.fullmatch(path.stem):
            yield file.name


@rule("PACKAGE_SAME_GO_PACKAGE", "PACKAGE_SAME_JAVA_PACKAGE", "PACKAGE_SAME_CSHARP_NAMESPACE")
def file_options(files: Files) -> Iterator[str]:
    said = {file.name: file.options.SerializeToString(deterministic=True) for file in files}
    most = Counter(said.values()).most_common(1)[0][0]
    yield from (name for name, options in said.items() if options != most)


@rule("IMPORT_NO_PUBLIC", "IMPORT_NO_WEAK")
def plain_imports(files: Files) -> Iterator[str]:
    yield from (file.name for file in files if file.public_dependency or file.weak_dependency)


@rule("IMPORT_USED", "PACKAGE_NO_IMPORT_CYCLE")
def used_imports(files: Files) -> Iterator[str]:
    home = {
        f".{file.package}.{thing.name}": file.name
        for file in files
        for thing in (*file.message_type, *file.enum_type)
    }
    extensions = {f".{file.package}.{field.name}": file.name for file in files for field in file.extension}
    foreign = {
        ".google.protobuf.MethodOptions": "google/protobuf/descriptor.proto",
        ".google.longrunning.Operation": "google/longrunning/operations.proto",
        ".google.protobuf.Duration": "google/protobuf/duration.proto",
        ".google.protobuf.Timestamp": "google/protobuf/timestamp.proto",
        ".google.rpc.Status": "google/rpc/status.proto",
    }
    for file in files:
        types = {field.type_name for message in messages([file]) for field in message.field}
        types |= {kind for _, method in methods([file]) for kind in (method.input_type, method.output_type)}
        types |= {field.extendee for field in file.extension}
        used = {(home | foreign).get(kind) for kind in types}
        set_options = {
            option.full_name for _, method in methods([file]) for option, _ in method.options.ListFields()
        }
        used |= {extensions.get(f".{name}") for name in set_options}
        yield from (f"{file.name} {name}" for name in set(file.dependency) - used)


@rule("ENUM_PASCAL_CASE", "MESSAGE_PASCAL_CASE", "SERVICE_PASCAL_CASE", "RPC_PASCAL_CASE")
def pascal_case(files: Files) -> Iterator[str]:
    named = (*enums(files), *messages(files), *(service for file in files for service in file.service))
    names = [*(thing.name for thing in named), *(method.name for _, method in methods(files))]
    yield from (name for name in names if not PASCAL.fullmatch(name))


@rule("FIELD_LOWER_SNAKE_CASE", "ONEOF_LOWER_SNAKE_CASE")
def snake_case(files: Files) -> Iterator[str]:
    for message in messages(files):
        names = [*(field.name for field in message.field), *oneofs(message)]
        yield from (f"{message.name}.{name}" for name in names if not SNAKE.fullmatch(name))


@rule("FIELD_NOT_REQUIRED")
def not_required(files: Files) -> Iterator[str]:
    for message in messages(files):
        yield from (field.name for field in message.field if field.label == field.LABEL_REQUIRED)


@rule("ENUM_FIRST_VALUE_ZERO", "ENUM_ZERO_VALUE_SUFFIX", "ENUM_NO_ALLOW_ALIAS")
def zero(files: Files) -> Iterator[str]:
    for enum in enums(files):
        first = enum.value[0]
        if first.number or not first.name.endswith("_UNSPECIFIED") or enum.options.allow_alias:
            yield enum.name


@rule("ENUM_VALUE_PREFIX", "ENUM_VALUE_UPPER_SNAKE_CASE")
def values(files: Files) -> Iterator[str]:
    for enum in enums(files):
        for value in enum.value:
            if not value.name.startswith(f"{upper(enum.name)}_") or not UPPER.fullmatch(value.name):
                yield value.name


@rule("SERVICE_SUFFIX")
def services(files: Files) -> Iterator[str]:
    for file in files:
        yield from (service.name for service in file.service if not service.name.endswith("Service"))


@rule("RPC_REQUEST_STANDARD_NAME", "RPC_RESPONSE_STANDARD_NAME")
def standard_names(files: Files) -> Iterator[str]:
    for service, method in methods(files):
        for kind, suffix in ((method.input_type, "Request"), (method.output_type, "Response")):
            allowed = {f"{method.name}{suffix}", f"{service.name}{method.name}{suffix}"}
            if kind.rpartition(".")[2] not in allowed and (method.name, kind) != EXCEPTION:
                yield f"{method.name} {kind}"


@rule("RPC_REQUEST_RESPONSE_UNIQUE")
def unique(files: Files) -> Iterator[str]:
    used = Counter(kind for _, method in methods(files) for kind in (method.input_type, method.output_type))
    yield from (kind for kind, count in used.items() if count > 1)


@rule("COMMENT_SERVICE", "COMMENT_RPC", "COMMENT_MESSAGE", "COMMENT_FIELD", "COMMENT_ONEOF", "COMMENT_ENUM")
def comments(files: Files) -> Iterator[str]:
    for file in files:
        said = {
            tuple(location.path)
            for location in file.source_code_info.location
            if location.leading_comments.strip()
        }
        for path, name in elements(file):
            if path not in said:
                yield f"{file.name} {name}"


def elements(file: pb.FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    """Everything that has a name, with its path in the descriptor (see descriptor.proto)."""
    for i, message in enumerate(file.message_type):
        yield (4, i), message.name
        yield from (((4, i, 2, j), f"{message.name}.{field.name}") for j, field in enumerate(message.field))
        written = set(oneofs(message))
        for j, oneof in enumerate(message.oneof_decl):
            if oneof.name in written:
                yield (4, i, 8, j), f"{message.name}.{oneof.name}"
    for i, enum in enumerate(file.enum_type):
        yield (5, i), enum.name
        yield from (((5, i, 2, j), value.name) for j, value in enumerate(enum.value))
    for i, service in enumerate(file.service):
        yield (6, i), service.name
        yield from (((6, i, 2, j), method.name) for j, method in enumerate(service.method))
    yield from (((7, i), field.name) for i, field in enumerate(file.extension))


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All our files and what they import, compiled, with comments."""
    folder = tmp_path_factory.mktemp("protos")
    wish = ("--include_imports", "--include_source_info", f"--descriptor_set_out={folder / 'image.binpb'}")
    compile_protos(folder, *wish)
    return folder / "image.binpb"


@pytest.fixture(scope="module")
def files(image: Path) -> Files:
    every = pb.FileDescriptorSet.FromString(image.read_bytes()).file
    return [file for file in every if file.name.startswith("sengoku/")]


@pytest.mark.parametrize("names", RULES)
def test_rule(files: Files, names: str) -> None:
    assert sorted(RULES[names](files)) == []


def test_every_file_is_looked_at(files: Files) -> None:
    assert {file.name for file in files} == {f"sengoku/v1/{path.name}" for path in PROTOS.rglob("*.proto")}


BAD = """
import "google/protobuf/duration.proto";
import public "google/protobuf/timestamp.proto";
package sengoku.Rules;
option go_package = "somewhere.example/else";
enum kind { option allow_alias = true; KIND_NONE = 1; Kind_Other = 1; }
message a_message {
  required int32 TheField = 1;
  oneof Which { int32 x = 2; }
}
service Plays {
  rpc play(a_message) returns (a_message);
}
"""


def test_every_rule_can_fail(files: Files, tmp_path: Path) -> None:
    """A check that finds nothing in a file with every fault would find nothing in ours."""
    source = tmp_path / "sengoku" / "Bad-File.proto"
    source.parent.mkdir()
    source.write_text(BAD)
    out = tmp_path / "bad.binpb"
    wish = (f"-I{tmp_path}", "--include_source_info", f"--descriptor_set_out={out}")
    compile_protos(tmp_path / "imports", *wish, sources=[source])
    bad = list(pb.FileDescriptorSet.FromString(out.read_bytes()).file)
    assert [names for names, check in RULES.items() if not list(check([*files, *bad]))] == []


def test_an_operation_is_the_only_exception(files: Files) -> None:
    foreign = [
        (method.name, kind)
        for _, method in methods(files)
        for kind in (method.input_type, method.output_type)
        if not kind.startswith(".sengoku.v1.")
    ]
    assert foreign == [EXCEPTION]


def test_buf_finds_nothing(image: Path) -> None:
    """The linter itself, from the path or through npm; without them the table above has to do."""
    if (buf := shutil.which("buf")) is not None:
        command = [buf]
    elif (npm := shutil.which("npm")) is not None:
        command = [npm, "exec", "--yes", f"--package={BUF}", "--", "buf"]
    else:
        pytest.skip("neither buf nor npm is here")
    there = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=120, check=False)
    if there.returncode != 0:
        pytest.skip(f"buf cannot be installed: {there.stderr.strip()[-200:]}")
    lint = [*command, "lint", str(image), "--config", str(PROTOS / "buf.yaml")]
    done = subprocess.run(lint, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
