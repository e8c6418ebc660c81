// Options in every spelling reach the pass with their types.
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options --remarks-filter=.* -o /dev/null 2>&1 | filecheck %s --check-prefix=DEFAULT
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options='flag size=7 factor=1e-3 text="two words" mode=slow level=high sizes=1,2,3 cap=9' --remarks-filter=.* --dump-pass-pipeline -o /dev/null 2>&1 | filecheck %s --check-prefix=SET
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options={flag=false} --test-options --remarks-filter=.* --dump-pass-pipeline -o /dev/null 2>&1 | filecheck %s --check-prefix=BRACES
// RUN: penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --pass-pipeline="builtin.module(func.func(test-options{cap=none text='a b'}))" --remarks-filter=.* -o /dev/null 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options=size=x 2>&1 | filecheck %s --check-prefix=INT
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options='size=1 flag=maybe' 2>&1 | filecheck %s --check-prefix=BOOL
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options=mode=medium 2>&1 | filecheck %s --check-prefix=ENUM
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options=level=lowest 2>&1 | filecheck %s --check-prefix=CHOICE
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-options=sizs=1 2>&1 | filecheck %s --check-prefix=TYPO
// RUN: not penguin-opt %s --load-pass-plugin=%S/Inputs/framework_passes.py --test-pipeline=size=1 2>&1 | filecheck %s --check-prefix=NAMED

// DEFAULT: Flag=False, Size=4, Factor=0.5, Text="none", Mode="FAST", Level="low", Sizes="()", Cap="None"
// SET: builtin.module(func.func(test-options{flag size=7 factor=1e-3 text="two words" mode=slow level=high sizes=1,2,3 cap=9}))
// SET: Flag=True, Size=7, Factor=0.001, Text="two words", Mode="SLOW", Level="high", Sizes="(1, 2, 3)", Cap=9
// BRACES: builtin.module(func.func(test-options{flag=false},test-options))
// BRACES: Flag=False
// TEXT: Text="a b"{{.*}}Cap="None"
// INT: --test-options:1:1: error: pass 'test-options', option 'size': 'x' is not of type int [PGP004]
// BOOL: --test-options:1:8: error: pass 'test-options', option 'flag': 'maybe' is not a bool, expected true or false [PGP004]
// BOOL-NEXT: note: size=1 flag=maybe
// BOOL-NEXT: {{^}}               ^
// ENUM: 'medium' is not one of fast, slow [PGP004]
// CHOICE: 'lowest' is not one of low, mid, high [PGP004]
// TYPO: pass 'test-options': no option 'sizs', did you mean 'sizes'? [PGP003]
// NAMED: the pipeline 'test-pipeline' has no options [PGP003]
func.func @f() {
  return
}
