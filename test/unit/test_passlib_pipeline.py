"""The pipeline grammar, and the registry that it resolves names in."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as s

from penguin import mlir
from penguin.errors import UserError
from penguin.passlib import options as opt
from penguin.passlib import registry as registries
from penguin.passlib import statistics as st
from penguin.passlib import upstream_table
from penguin.passlib.grammar import Nest, Option, Parser, PassCall, Source
from penguin.passlib.pipeline import Pipeline
from penguin.passlib.registry import Registry

_NAME = s.from_regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", fullmatch=True)
# A value with both kinds of quotes goes into braces, inside which quotes must pair up.
_VALUE = s.text("ab1,.-_=:/ {}()[]", max_size=8).filter(
    lambda t: t == t.strip() and not (t[:1] == "{" and t[-1:] == "}")
)


def _balanced(text: str) -> bool:
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))


_OPTION = s.builds(Option, _NAME, _VALUE.filter(_balanced))
_CALL = s.builds(PassCall, _NAME, s.lists(_OPTION, max_size=3).map(tuple))
_NEST = s.recursive(
    s.builds(Nest, s.just("func.func"), s.lists(_CALL, max_size=3).map(tuple)),
    lambda inner: s.builds(Nest, s.just("any"), s.lists(_CALL | inner, max_size=3).map(tuple)),
    max_leaves=6,
)


@given(s.builds(Nest, s.just("builtin.module"), s.lists(_CALL | _NEST, max_size=4).map(tuple)))
def test_printed_pipelines_parse_to_themselves(nest: Nest) -> None:
    assert Parser(Source(str(nest))).parse() == nest


@given(s.text("ab(){}=,\"' .-", max_size=14))
def test_any_text_is_a_pipeline_or_a_located_error(text: str) -> None:
    try:
        parsed = Parser(Source(text)).parse()
    except UserError as error:
        (finding,) = error.diagnostics
        assert finding.code == "PGP001"
        line, column = map(int, finding.location.split(":")[1:])
        assert line == 1 and 1 <= column <= len(text) + 1
        return
    assert Parser(Source(str(parsed))).parse() == parsed


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected the name of a pass or of an anchor op, got the end of the pipeline"),
        ("cse", 1, "wrapped in its anchor op"),
        ("builtin.module(", 16, "got the end"),
        ("builtin.module(a b)", 18, "expected ',' or ')'"),
        ("builtin.module(a,)", 18, "got ')'"),
        ("builtin.module(a))", 18, "unexpected ')'"),
        ("builtin.module(a{x)", 17, "not closed"),
        ("builtin.module(a{=1})", 18, "expected an option's name"),
        ("builtin.module(a{x+1})", 19, "expected '=' or a blank"),
    ],
)
def test_syntax_errors_say_where(text: str, column: int, message: str) -> None:
    with pytest.raises(UserError) as raised:
        Parser(Source(text)).parse()
    (finding,) = raised.value.diagnostics
    assert finding.location == f"pipeline:1:{column}"
    assert message in finding.message
    (note,) = finding.notes
    # The caret stands below the place: a note's text starts in column 8.
    assert note.split("\n")[1].index("^") == 8 + column - 1


def test_values_in_quotes_and_braces() -> None:
    nest = Parser(Source("""builtin.module(p{a="x y" b='"' c={d=1 e={f}} g})""")).parse()
    (call,) = nest.elements
    assert isinstance(call, PassCall)
    assert call.mapping() == {"a": "x y", "b": '"', "c": "d=1 e={f}", "g": ""}


def test_an_error_in_the_middle_of_a_long_pipeline_is_shown_with_its_surroundings() -> None:
    text = f"builtin.module({'cse,' * 100}!{',cse' * 100})"
    with pytest.raises(UserError) as raised:
        Parser(Source(text)).parse()
    shown, caret = raised.value.diagnostics[0].notes[0].split("\n")
    assert len(shown) < 120 and shown.startswith("...") and shown.endswith("...")
    assert shown[caret.index("^") - 8] == "!"


# Names ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plugin(root: Path) -> Path:
    return root / "test" / "passes" / "framework" / "Inputs" / "framework_passes.py"


@pytest.fixture
def registry(plugin: Path) -> Iterator[Registry]:
    found = registries.default()
    found.load_plugin(str(plugin))
    with mlir.context():
        yield found


def test_function_passes_are_nested_implicitly_and_together(registry: Registry) -> None:
    text = "builtin.module(test-fold,test-options{size=1},test-crash,test-fold,func.func(cse))"
    found = Pipeline.parse(text, registry)
    assert str(found) == (
        "builtin.module(func.func(test-fold,test-options{size=1}),test-crash,"
        "func.func(test-fold,cse))"
    )
    assert str(Pipeline.parse(str(found), registry)) == str(found)
    assert [step.path for step in found.steps] == [
        ("builtin.module", "func.func"),
        ("builtin.module", "func.func"),
        ("builtin.module",),
        ("builtin.module", "func.func"),
        ("builtin.module", "func.func"),
    ]


def test_upstream_function_passes_are_nested_implicitly_too(registry: Registry) -> None:
    found = Pipeline.parse("builtin.module(shape-to-shape-lowering)", registry)
    assert str(found) == "builtin.module(func.func(shape-to-shape-lowering))"


def test_named_pipelines_expand_in_place(registry: Registry) -> None:
    found = Pipeline.parse("builtin.module(symbol-dce,test-outer-pipeline)", registry)
    names = [step.name for step in found.steps]
    assert names == ["symbol-dce", "cse", "canonicalize", "test-options", "test-fold", "test-crash"]


def test_parts_of_a_pipeline_keep_their_nesting(registry: Registry) -> None:
    found = Pipeline.parse("builtin.module(cse,func.func(cse,test-fold),test-crash)", registry)
    part = Pipeline.of_steps(found.anchor, found.steps[2:])
    assert str(part) == "builtin.module(func.func(test-fold),test-crash)"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("builtin.module(no-such-pass)", "PGP002"),
        ("builtin.module(test-options{sizs=1})", "PGP003"),
        ("builtin.module(test-pipeline{size=1})", "PGP003"),
        ("builtin.module(test-options{size=x})", "PGP004"),
        ("builtin.module(func.func(test-crash))", "PGP005"),
        ("any(test-fold)", "PGP005"),
        ("builtin.module(canonicalize{no=1})", "PGP008"),
    ],
)
def test_what_cannot_run_is_found_before_running(registry: Registry, text: str, code: str) -> None:
    with pytest.raises(UserError) as raised:
        Pipeline.parse(text, registry)
    assert [d.code for d in raised.value.diagnostics] == [code]


def test_a_pass_in_two_groups_is_a_bug() -> None:
    registry = Registry()
    registry.add_group("a", "a", {"x": "m:X"})
    with pytest.raises(AssertionError, match="'x' is in two groups: a, b"):
        registry.add_group("b", "b", {"x": "m:X"})


# What is known without importing ------------------------------------------------------------------


def test_text_and_class_agree_about_every_pass(plugin: Path) -> None:
    """`describe` reads source text; the classes themselves are the truth."""
    registry = registries.default()
    registry.load_plugin(str(plugin))
    for name in registry.passes:
        info, cls = registry.describe(name), registry.load(name)
        assert list(info.options) == opt.describe(cls), name
        assert list(info.statistics) == [s.text for s in st.declared(cls)], name
        assert set(info.requires) == set(cls.requires), name
        assert set(info.produces) == set(cls.produces), name
        assert info.anchor == cls.anchor, name
        assert info.summary, name


def test_help_imports_neither_bindings_nor_passes() -> None:
    """In a process of its own: this one has imported everything."""
    program = (
        "import sys\n"
        "from penguin.tools.penguin_opt import main\n"
        "assert main(['--help']) == 0 and main(['--list-passes']) == 0\n"
        "heavy = ('torch_mlir', 'numpy', 'jax', 'islpy')\n"
        "found = [m for m in sys.modules if m.split('.')[0] in heavy]\n"
        "ours = [m for m in sys.modules if m.startswith('penguin.passes.')]\n"
        "found += [m for m in ours if m.count('.') > 2]\n"
        "sys.exit(', '.join(found) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_upstream_table_names_passes_that_exist() -> None:
    from penguin.passlib import upstream

    with mlir.context():
        assert [n for n in upstream_table.PASSES if not upstream.exists(n)] == []
        assert not upstream.exists("no-such-pass")


def test_plugin_faults_are_the_users(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import no_such_module_anywhere\n")
    for path in (broken, tmp_path / "missing.py"):
        with pytest.raises(UserError) as raised:
            Registry().load_plugin(str(path))
        assert raised.value.diagnostics[0].code == "PGP017"
