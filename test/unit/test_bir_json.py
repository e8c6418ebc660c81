"""BIR JSON: keys and spellings of the public schema, and what its reader says about mistakes."""

import json

import pytest

from penguin import bir
from penguin.errors import UserError

TEXT = """\
module trn2

func main {
  input dram bfloat16 x[8,128,64]
  output dram float32 y[8,128,64]
  const dram float32 w[2] = hex 0000803f000000c0

  for i0 = 2 to 8 step 3 loc(m.py:1:2) {
    sbuf float32 t[128,64] base=32 addr=256
    psum float32 p[128,64] base=0 addr=2048 bank=1
    I-0: DMA.Load float32 t[[64,128],[1,64]] = bfloat16 x[[64,128],[1,64]]@(8192*i0+7)
    I-1: Activation.Activation float32 p[[64,128],[1,64]] = float32 t[[64,128],[1,64]] FUNCTION
    I-2: DVE.Memset float32 t[[64,128],[1,64]]@64 constant=-inf mode=Const
  }
}
""".replace("FUNCTION", 'func=Gelu scale=0.1 alpha=0.0 loc("f" m.py:3:4)')


@pytest.fixture
def data():
    return json.loads(bir.to_json(bir.from_text(TEXT)))


def test_module(data):
    assert (data["version"], data["arch"]) == (2, "gen3")
    assert sorted(data) == ["arch", "functions", "version"]
    function = data["functions"][0]
    assert function["name"] == "main"
    assert [block["name"] for block in function["blocks"]] == ["Block1"]


def test_form_of_the_text():
    text = bir.to_json(bir.from_text(TEXT))
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"


def test_allocations(data):
    sets = {a["name"]: a for a in data["functions"][0]["allocations"]}
    assert sets["x_set"] == {
        "Skind": "memory_location_set",
        "name": "x_set",
        "dtype": "bfloat16",
        "kind": "ExternalInput",
        "tensor_shape": [8, 128, 64],
        "partition_dim": 0,
        "addr_space": "Local",
        "tensorId2MemLocSize": 1,
        "memorylocations": [
            {"Skind": "memory_location", "name": "x", "type": 2, "dims": [8, 128 * 64 * 2]}
        ],
    }
    assert sets["y_set"]["memorylocations"][0]["type"] == 4
    assert (sets["w_set"]["kind"], sets["w_set"]["data"]) == ("Const", "0000803f000000c0")
    assert sets["w_set"]["memorylocations"][0]["type"] == 8
    assert sets["t_set"]["scope"] == "i0"
    assert sets["t_set"]["memorylocations"] == [
        {
            "Skind": "memory_location",
            "name": "t",
            "type": 16,
            "dims": [128, 256],
            "base": 32,
            "addr": 256,
            "allocated": True,
        }
    ]
    psum = sets["p_set"]["memorylocations"][0]
    assert (psum["type"], psum["bank"], psum["addr"]) == (32, 1, 2048)


def test_loop(data):
    loop = data["functions"][0]["blocks"][0]["instructions"][0]
    assert loop["opcode"] == "Loop"
    assert loop["LoopAxis"] == {"name": "i0", "lb": 2, "ub": 8, "stride": 3}
    assert loop["debug"] == "m.py:1:2"
    assert len(loop["blocks"][0]["instructions"]) == 3


def test_instructions(data):
    items = data["functions"][0]["blocks"][0]["instructions"][0]["blocks"][0]["instructions"]
    load, activation, memset = items
    assert load["ins"] == [
        {
            "kind": "symbolic_ap",
            "dtype": "bfloat16",
            "ap": [[64, 128], [1, 64]],
            "access_shape": [128, 64],
            "memsetref": "x_set",
            "addrs": [
                {
                    "kind": "AffExprKind",
                    "terms": [{"idx": {"kind": "AffIVKind", "axis": "i0"}, "coeff": 8192}],
                    "c": 7,
                }
            ],
        }
    ]
    assert memset["outs"] == [
        {
            "kind": "physical_ap",
            "dtype": "float32",
            "ap": [[64, 128], [1, 64]],
            "access_shape": [128, 64],
            "memref": "t",
            "memsetref": "t_set",
            "offset": 64,
        }
    ]
    assert (memset["mode"], memset["constant"]) == ("Const", "-inf")
    del activation["ins"], activation["outs"]
    assert activation == {
        "name": "I-1",
        "opcode": "Activation",
        "engine": "Activation",
        "engine_id": 0,
        "origin": "Penguin",
        "scheduled_start": 0,
        "scheduled_end": 0,
        "optin_passes": [],
        "func": "Gelu",
        "scale": 0.1,
        "alpha": 0.0,
        "loopnest": ["i0"],
        "debug": '"f" m.py:3:4',
    }


def test_defaults_of_others_are_read(data):
    items = data["functions"][0]["blocks"][0]["instructions"][0]["blocks"][0]["instructions"]
    items[1] |= {"acc": "Idle", "is_activate2": False, "dependencies": [["I-0", "Flow"]]}
    items[0]["debug"] = {"line": 3}
    items[2]["debug"] = "somewhere"
    module = bir.from_json(json.dumps(data))
    names = {i.name: i for i, _ in module.main.walk() if isinstance(i, bir.Instruction)}
    assert names["I-1"].attributes == {"func": "Gelu", "scale": pytest.approx(0.1), "alpha": 0.0}
    assert names["I-0"].loc == ""
    assert names["I-2"].loc == '"somewhere"'


def _set(path, value):
    def change(data):
        for step in path[:-1]:
            data = data[step]
        if value is None:
            del data[path[-1]]
        else:
            data[path[-1]] = value

    return change


F = ("functions", 0)
ITEM = (*F, "blocks", 0, "instructions", 0, "blocks", 0, "instructions")
LOOP = "functions[0].blocks[0].instructions[0]"
WHERE = f"{LOOP}.blocks[0].instructions"

ERRORS = {
    "version": (_set(("version",), 1), "module: error: has version 1, expected 2 [PGB005]"),
    "arch": (
        _set(("arch",), "gen9"),
        "module: error: has arch = 'gen9', expected one of sunda gen3 core_v4 [PGB003]",
    ),
    "functions": (_set(("functions",), {}), "module: error: has functions = {}, expected a list"),
    "none": (_set(("functions",), []), "module: error: has no functions, expected at least one"),
    "blocks": (_set((*F, "blocks"), None), "functions[0]: error: has no key 'blocks' [PGB005]"),
    "no_object": (
        _set((*F, "allocations", 0), 3),
        "functions[0].allocations[0]: error: is 3, expected an object [PGB005]",
    ),
    "dtype": (
        _set((*F, "allocations", 0, "dtype"), "float64"),
        "functions[0].allocations[0]: error: has dtype = 'float64', expected one of float32",
    ),
    "data": (
        _set((*F, "allocations", 2, "data"), "00"),
        "functions[0].allocations[2]: error: has 1 bytes of data, expected 8 [PGB004]",
    ),
    "hex": (
        _set((*F, "allocations", 2, "data"), "xy"),
        "functions[0].allocations[2]: error: has data that is no hexadecimal text [PGB004]",
    ),
    "scope": (
        _set((*F, "allocations", 3, "scope"), "i9"),
        f"{WHERE}[0].outs[0]: error: tensor 't' is out of scope [PGB002]",
    ),
    "scope_of_an_unused_tensor": (
        lambda data: data["functions"][0]["allocations"][1].update(kind="Internal", scope="i9"),
        "functions[0]: error: tensor 'y' has scope 'i9', expected a loop axis [PGB002]",
    ),
    "scope_of_an_output": (
        _set((*F, "allocations", 1, "scope"), "i0"),
        "functions[0].allocations[1]: error: tensor 'y' is ExternalOutput, "
        "expected outside of loops [PGB002]",
    ),
    "address_of_an_input": (
        _set((*F, "allocations", 0, "memorylocations", 0, "addr"), 0),
        "functions[0].allocations[0]: error: tensor 'x' is ExternalInput, expected no address",
    ),
    "large": (
        _set((*F, "blocks", 0, "instructions", 0, "LoopAxis", "ub"), 2**63),
        f"{LOOP}: error: has ub = 9223372036854775808, expected 64 bits [PGB005]",
    ),
    "note": (
        _set(("attributes",), {"a": {}}),
        "module: error: has module attribute a = {} [PGB003]",
    ),
    "opcode": (
        _set((*ITEM, 0, "opcode"), "Halt"),
        f"{WHERE}[0]: error: has opcode = 'Halt', expected one of Load",
    ),
    "attribute": (
        _set((*ITEM, 1, "op0"), "add"),
        f"{WHERE}[1]: error: Activation has attribute 'op0', expected func, scale, alpha",
    ),
    "memref": (
        _set((*ITEM, 2, "outs", 0, "memref"), "q"),
        f"{WHERE}[2].outs[0]: error: tensor 'q' is not defined [PGB002]",
    ),
    "kind": (
        _set((*ITEM, 2, "outs", 0, "kind"), "register_ap"),
        f"{WHERE}[2].outs[0]: error: has kind = 'register_ap', expected one of physical_ap",
    ),
    "pattern": (
        _set((*ITEM, 2, "outs", 0, "ap"), [[1]]),
        f"{WHERE}[2].outs[0]: error: has ap = [[1]], expected [[step, num], ...] [PGB005]",
    ),
    "axis": (
        _set((*ITEM, 0, "ins", 0, "addrs", 0, "terms", 0, "idx", "axis"), "i7"),
        f"{WHERE}[0].ins[0]: error: 'i7' is no axis of a loop around it [PGB002]",
    ),
    "stride": (
        _set((*F, "blocks", 0, "instructions", 0, "LoopAxis", "stride"), 0),
        f"{LOOP}: error: has stride 0, expected at least 1 [PGB005]",
    ),
    "twice": (
        _set((*ITEM, 1, "name"), "I-0"),
        f"{WHERE}[1]: error: instruction 'I-0' is defined twice [PGB002]",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name, data):
    change, expected = ERRORS[name]
    change(data)
    with pytest.raises(UserError) as error:
        bir.from_json(json.dumps(data), "f.json")
    assert str(error.value).startswith(f"f.json: {expected}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "f.json:1:1: error: is not JSON: Expecting value [PGB005]"),
        ('{"a" 1}', "f.json:1:6: error: is not JSON: Expecting ':' delimiter [PGB005]"),
        ("[]", "f.json: module: error: is [], expected an object [PGB005]"),
    ],
)
def test_other_files(text, expected):
    with pytest.raises(UserError) as error:
        bir.from_json(text, "f.json")
    assert str(error.value).startswith(expected)
