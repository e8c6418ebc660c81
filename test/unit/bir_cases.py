"""Instructions that the bir verifier refuses, with its words, and instructions that it accepts.

BIR text; `ALL` is the pattern of a whole tile of 128 x 512. The names start with the rule.
"""

REFUSED = {
    "c1_scalar_without_operator": (
        "DVE.TensorScalarPtr float32 bALL = float32 aALL, float32 s[[1,128],[1,1]] "
        "op0=add op1=mult",
        "'bir.TensorScalarPtr' op has 1 scalars, expected 2 for op1 mult (C1)",
    ),
    "c1_operator_without_scalar": (
        "DVE.TensorScalarPtr float32 bALL = float32 aALL, float32 s[[1,128],[1,1]], "
        "float32 s[[1,128],[1,1]] op0=add",
        "'bir.TensorScalarPtr' op has 2 scalars, expected 1 for op1 bypass (C1)",
    ),
    "c4_engine": (
        "PE.Reciprocal float32 bALL = float32 aALL",
        "'bir.Reciprocal' op Reciprocal runs on PE, expected DVE (trn2) (C4)",
    ),
    "c4_pow": (
        "DVE.TensorTensor float32 bALL = float32 aALL, float32 aALL op=pow",
        "'bir.TensorTensor' op TensorTensor pow runs on DVE, expected Pool (trn2) (C4)",
    ),
    "c4_rsqrt": (
        "DVE.TensorScalar float32 bALL = float32 aALL op0=rsqrt const0=0.0",
        "'bir.TensorScalar' op TensorScalar rsqrt runs on DVE, expected Pool (trn2) (C4)",
    ),
    "c4_scalar_on_activation": (
        "Activation.TensorScalar float32 bALL = float32 aALL op0=max const0=0.0",
        "'bir.TensorScalar' op TensorScalar max runs on Activation, expected Pool DVE (trn2) (C4)",
    ),
    "c4_descriptor_generator": (
        "SP.Load float32 aALL = float32 xALL dge_type=SWDGE",
        "'bir.Load' op Load SWDGE runs on SP, expected Pool (trn2) (C4)",
    ),
    "c7_base": (
        "DVE.Memset float32 t[[8,128],[1,8]] constant=0.0 mode=Const",
        "'bir.Memset' op outs[0] has 128 partitions from partition 32, expected at most 128 (C7)",
        "sbuf float32 t[128,8] base=32 addr=0\n",
    ),
    "c7_partitions": (
        "DVE.Memset float32 t[[8,128],[1,8]] constant=0.0 mode=Const",
        "'bir.Memset' op outs[0] has 256 partitions, expected at most 128 (C7)",
        "sbuf float32 t[256,8]\n",
    ),
    "c8_sbuf": (
        "DVE.Memset float32 t[[64,128],[1,64]] constant=0.0 mode=Const",
        "'bir.Memset' op outs[0] ends at byte 213056 of a partition, expected at most "
        "212984 (trn2) (C8)",
        "sbuf float32 t[128,64] base=0 addr=212800\n",
    ),
    "c8_elements": (
        "DVE.Memset uint8 t[[65537,128],[1,64]] constant=0 mode=Const",
        "'bir.Memset' op outs[0] has 65537 elements per partition, expected at most 65536 (C8)",
        "sbuf uint8 t[128,65537]\n",
    ),
    "c8_psum": (
        "DVE.Memset float32 t[[4097,128],[1,64]] constant=0.0 mode=Const",
        "'bir.Memset' op outs[0] ends at byte 16388 of a partition, expected at most "
        "16384 (trn2) (C8)",
        "psum float32 t[128,4097]\n",
    ),
    "c9_bank": (
        "DVE.Memset float32 t[[8,128],[1,8]] constant=0.0 mode=Const",
        "'bir.Memset' op outs[0] is in bank 2 at byte 2048, expected bank 1 (C9)",
        "psum float32 t[128,8] base=0 addr=2048 bank=2\n",
    ),
    "c10_width": (
        "DVE.Reciprocal float32 bALL = bfloat16 aALL",
        "'bir.Reciprocal' op ins[0] is read as bfloat16 of 2 bytes, expected 4 bytes "
        "as in f32 (C10)",
    ),
    "c11_pairs_on_an_engine": (
        "DVE.Reciprocal float32 bALL = float32 a[[512,128],[256,2],[16,16],[4,4],[1,4]]",
        "'bir.Reciprocal' op ins[0] has 5 pairs, expected at most 4 (C11)",
    ),
    "c11_pairs_of_a_dma": (
        "DMA.Load float32 aALL = float32 x[[512,128],[256,2],[64,4],[16,4],[4,4],[1,4]]",
        "'bir.Load' op ins[0] has 6 pairs, expected at most 5 (C11)",
    ),
    "c12_num": (
        "DMA.DMACopy float32 y[[1,65536]] = float32 x[[1,65536]] mode=Copy",
        "'bir.DMACopy' op ins[0] pair #0 has num 65536, expected 1 to 65535 (C12)",
    ),
    "c12_no_elements": (
        "DVE.Memset float32 a[[512,128],[1,0]] constant=0.0 mode=Const",
        "'bir.Memset' op outs[0] pair #1 has num 0, expected 1 to 65535 (C12)",
    ),
    "c12_first_step": (
        "DMA.Load float32 aALL = float32 x[[-512,128],[1,512]]@65024",
        "'bir.Load' op ins[0] pair #0 has step -512, expected at least 0 (C12)",
    ),
    "c12_step_on_chip": (
        "DVE.Memset float32 deep[[40000,128],[32768,2]] constant=0.0 mode=Const",
        "'bir.Memset' op outs[0] pair #1 has step 32768, expected -32768 to 32767 on chip (C12)",
    ),
    "c13_dram": (
        "DMA.Load float32 a[[512,1],[1,5]] = float32 small[[4,1],[1,5]]",
        "'bir.Load' op ins[0] touches elements 0 to 4, expected 0 to 3 (C13)",
    ),
    "c13_negative": (
        "DMA.Load float32 a[[512,1],[1,4]] = float32 small[[4,1],[-1,4]]@2",
        "'bir.Load' op ins[0] touches elements -1 to 2, expected 0 to 3 (C13)",
    ),
    "c13_last_iteration": (
        "for i0 = 0 to 9 {\nI-0: DMA.Load float32 aALL = float32 xALL@(65536*i0)\n}",
        "'bir.Load' op ins[0] touches elements 0 to 589823, expected 0 to 524287 (C13)",
    ),
    "c13_partitions": (
        "DVE.Reciprocal float32 low[[512,64],[1,512]]@16384 = float32 a[[512,64],[1,512]]",
        "'bir.Reciprocal' op outs[0] touches partitions 32 to 95, expected 0 to 63 (C13)",
    ),
    "c14_partition_step": (
        "DVE.Reciprocal float32 b[[1024,64],[1,512]] = float32 a[[512,64],[1,512]]",
        "'bir.Reciprocal' op outs[0] has partition step 1024, expected 512 (C14)",
    ),
    "c14_broadcast_partition": (
        "DVE.Reciprocal float32 bALL = float32 a[[0,128],[1,512]]",
        "'bir.Reciprocal' op ins[0] has partition step 0, expected 512 (C14)",
    ),
    "c14_dma": (
        "DMA.Load float32 a[[256,128],[1,256]] = float32 x[[256,128],[1,256]]",
        "'bir.Load' op outs[0] has partition step 256, expected a multiple of 512 (C14)",
    ),
    "c15_start": (
        "DVE.Reciprocal float32 b[[512,32],[1,512]]@8192 = float32 a[[512,32],[1,512]]",
        "'bir.Reciprocal' op outs[0] has 32 partitions from partition 16, expected "
        "start 0 32 64 96 for 32 partitions (C15)",
    ),
    "c15_more_than_32": (
        "DVE.Reciprocal float32 b[[512,33],[1,512]]@16384 = float32 a[[512,33],[1,512]]",
        "'bir.Reciprocal' op outs[0] has 33 partitions from partition 32 and crosses "
        "partition 64, expected start 0 64 for 33 partitions (C15)",
    ),
    "c15_more_than_64": (
        "DVE.Reciprocal float32 t[[4,65],[1,4]] = float32 a[[512,65],[1,4]]",
        "'bir.Reciprocal' op outs[0] has 65 partitions from partition 32 and crosses "
        "partition 64, expected start 0 for 65 partitions (C15)",
        "sbuf float32 t[65,4] base=32 addr=0\n",
    ),
    "c15_in_some_iteration": (
        "for i0 = 0 to 4 {\n"
        "I-0: DVE.Reciprocal float32 b[[512,16],[1,512]]@(8192*i0) = float32 "
        "a[[512,16],[1,512]]\n"
        "}",
        "'bir.Reciprocal' op outs[0] has 16 partitions from partition 16, expected "
        "start 0 32 64 96 for 16 partitions (C15)",
    ),
    "c16_free": (
        "DVE.Reciprocal float32 b[[512,128],[1,256]]@300 = float32 a[[512,128],[1,256]]",
        "'bir.Reciprocal' op outs[0] touches free elements 300 to 555, expected 0 to 511 (C16)",
    ),
    "c16_last_iteration": (
        "for i0 = 0 to 3 {\n"
        "I-0: DVE.Reciprocal float32 b[[512,128],[1,256]]@(256*i0) = float32 "
        "a[[512,128],[1,256]]\n"
        "}",
        "'bir.Reciprocal' op outs[0] touches free elements 0 to 767, expected 0 to 511 (C16)",
    ),
    "c17_elements": (
        "DMA.Load float32 aALL = float32 x[[512,128],[1,256]]",
        "'bir.Load' op ins[0] has 32768 elements, expected 65536 as outs[0] (C17)",
    ),
    "c17_partitions": (
        "DVE.Reciprocal float32 b[[512,64],[1,512]] = float32 a[[512,128],[1,256]]",
        "'bir.Reciprocal' op ins[0] has 128 partitions, expected 64 as outs[0] (C17)",
    ),
    "c17_iota": (
        "Pool.Iota int32 nALL pattern=[[1,256]]",
        "'bir.Iota' op has a pattern of 256 elements, expected 512 as outs[0] (C17)",
    ),
    "c18_load_from_sbuf": (
        "DMA.Load float32 aALL = float32 bALL",
        "'bir.Load' op ins[0] is in sbuf, expected dram on DMA (C18)",
    ),
    "c18_save_to_sbuf": (
        "DMA.Save float32 aALL = float32 bALL",
        "'bir.Save' op outs[0] is in sbuf, expected dram on DMA (C18)",
    ),
    "c18_dma_and_psum": (
        "DMA.DMACopy float32 y[[512,128],[1,512]] = float32 pALL mode=Copy",
        "'bir.DMACopy' op ins[0] is in psum, expected dram or sbuf on DMA (C18)",
    ),
    "c18_pe_reads_psum": (
        "PE.Matmult float32 pALL = float32 qALL, float32 a[[512,128],[1,128]]",
        "'bir.Matmult' op ins[0] is in psum, expected sbuf on PE (C18)",
    ),
    "c18_pe_writes_sbuf": (
        "PE.Matmult float32 bALL = float32 aALL, float32 a[[512,128],[1,128]]",
        "'bir.Matmult' op outs[0] is in sbuf, expected psum on PE (C18)",
    ),
    "c18_pool_and_psum": (
        "Pool.TensorCopy float32 aALL = float32 pALL",
        "'bir.TensorCopy' op ins[0] is in psum, expected sbuf on Pool (C18)",
    ),
    "c18_engine_and_dram": (
        "DVE.TensorCopy float32 aALL = float32 xALL",
        "'bir.TensorCopy' op ins[0] is in dram, expected sbuf or psum on DVE (C18)",
    ),
    "c19_both_in_psum": (
        "DVE.TensorTensor float32 aALL = float32 pALL, float32 qALL op=add",
        "'bir.TensorTensor' op ins[0] and ins[1] are in psum, expected at most one (C19)",
    ),
    "c20_k": (
        "PE.Matmult float32 pALL = float32 aALL, float32 a[[512,64],[1,128]]",
        "'bir.Matmult' op has K 128 (moving) and 64 (stationary), expected one K (C20)",
    ),
    "c20_m": (
        "PE.Matmult float32 pALL = float32 aALL, float32 a[[512,128],[1,129]]",
        "'bir.Matmult' op has M 129, expected at most 128 (C20)",
    ),
    "c20_n": (
        "PE.Matmult float32 pwide[[4096,128],[1,513]] = float32 "
        "wide[[4096,128],[1,513]], float32 a[[512,128],[1,128]]",
        "'bir.Matmult' op has N 513, expected at most 512 (trn2) (C20)",
    ),
    "c20_output": (
        "PE.Matmult float32 p[[512,128],[1,256]] = float32 aALL, float32 a[[512,128],[1,128]]",
        "'bir.Matmult' op outs[0] is 128 x 256, expected M x N = 128 x 512 (C20)",
    ),
    "c21_dtype": (
        "PE.Matmult bfloat16 phALL = float32 aALL, float32 a[[512,128],[1,128]]",
        "'bir.Matmult' op outs[0] is bfloat16, expected float32 (trn2) (C21)",
    ),
    "c21_bank": (
        "PE.Matmult float32 pwide[[4096,128],[1,512]]@256 = float32 aALL, float32 "
        "a[[512,128],[1,128]]",
        "'bir.Matmult' op outs[0] lies in PSUM banks [0, 1], expected one bank (C21)",
    ),
    "c21_bank_in_some_iteration": (
        "for i0 = 0 to 8 {\n"
        "I-0: PE.Matmult float32 pwide[[4096,128],[1,384]]@(384*i0) = "
        "float32 a[[512,128],[1,384]], float32 a[[512,128],[1,128]]\n"
        "}",
        "'bir.Matmult' op outs[0] lies in PSUM banks [0, 1, 2, 3, 4, 5], expected one bank (C21)",
    ),
    "c22_dtype": (
        "PE.Matmult float32 pALL = int32 nALL, int32 n[[512,128],[1,128]]",
        "'bir.Matmult' op ins[0] is int32, expected one of bfloat16 float16 float32 (C22)",
    ),
    "c22_mixed": (
        "PE.Matmult float32 pALL = bfloat16 hALL, float32 a[[512,128],[1,128]]",
        "'bir.Matmult' op multiplies bfloat16 with float32, expected both float32 if one is (C22)",
    ),
    "c24_predicate": (
        "DVE.CopyPredicated float32 bALL = float32 aALL, float32 aALL",
        "'bir.CopyPredicated' op ins[0] (predicate) is float32, expected an integer dtype (C24)",
    ),
    "c24_bias": (
        "Activation.Activation float32 bALL = float32 aALL, int32 n[[512,128],[1,1]] func=Exp",
        "'bir.Activation' op ins[1] (bias) is int32, expected a float dtype (C24)",
    ),
    "c24_iota": (
        "Pool.Iota float32 aALL pattern=[[1,512]]",
        "'bir.Iota' op outs[0] is float32, expected int32 (C24)",
    ),
    "c24_index": (
        "Pool.GenericIndirectLoad float32 aALL = float32 xALL, int32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op ins[1] (index) is int32, expected uint32 (C24)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c25_index": (
        "Pool.GenericIndirectLoad float32 a[[512,64],[1,512]] = "
        "float32 x[[512,64],[1,512]], uint32 u[[2,64],[1,2]]",
        "'bir.GenericIndirectLoad' op ins[1] (index) is 64 x 2, expected one column (C25)",
        "sbuf uint32 u[128,2]\n",
    ),
    "c25_scalar": (
        "DVE.TensorScalarPtr float32 bALL = float32 aALL, float32 s[[1,64],[1,1]] op0=add",
        "'bir.TensorScalarPtr' op ins[1] (scalar0) is 64 x 1, expected 128 x 1 (C25)",
    ),
    "c25_bias": (
        "Activation.Activation float32 bALL = float32 aALL, float32 aALL func=Exp",
        "'bir.Activation' op ins[1] (bias) is 128 x 512, expected 128 x 1 (C25)",
    ),
    "c26_mixed": (
        "DVE.TensorScalar int32 nALL = int32 nALL op0=add const0=1 op1=bitwise_and const1=1",
        "'bir.TensorScalar' op mixes add and bitwise_and, expected both arithmetic or "
        "both bitvec (C26)",
    ),
    "c27_float": (
        "DVE.TensorTensor float32 bALL = float32 aALL, float32 aALL op=bitwise_and",
        "'bir.TensorTensor' op ins[0] is float32, expected integers of one width for "
        "bitwise_and (C27)",
    ),
    "c27_width": (
        "DVE.TensorTensor int32 nALL = int32 n2ALL, int16 n16ALL op=bitwise_or",
        "'bir.TensorTensor' op ins[1] is int16, expected integers of one width for "
        "bitwise_or (C27)",
    ),
    "c28_bitvec_immediate": (
        "DVE.TensorScalar int32 nALL = int32 nALL op0=bitwise_and const0=1.0",
        "'bir.TensorScalar' op has const0 1.0, expected an integer for bitwise_and (C28)",
    ),
    "c28_integer_immediate": (
        "DVE.TensorScalar float32 bALL = float32 aALL op0=mult const0=1.0 op1=add const1=1",
        "'bir.TensorScalar' op has integer const1 1, expected a float32 for add (C28)",
    ),
    "c28_memset_of_floats": (
        "DVE.Memset float32 aALL constant=1 mode=Const",
        "'bir.Memset' op has integer constant 1, expected a float32 for float32 (C28)",
    ),
    "c28_memset_range": (
        "DVE.Memset uint8 u8ALL constant=256 mode=Const",
        "'bir.Memset' op has constant 256, expected 0 to 255 for uint8 (C28)",
    ),
    "c4_indirect_by_queue": (
        "DMA.GenericIndirectLoad float32 aALL = float32 xALL, uint32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op GenericIndirectLoad SWDGE runs on DMA, expected Pool "
        "(trn2) (C4)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c13_indirect": (
        "Pool.GenericIndirectLoad float32 a[[512,128],[1,5]] = float32 small[[1,128],[1,5]], "
        "uint32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op ins[0] touches elements 0 to 4, expected 0 to 3 (C13)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c17_indirect": (
        "Pool.GenericIndirectLoad float32 aALL = float32 x[[512,128],[1,5]], "
        "uint32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op ins[0] has 640 elements, expected 65536 as outs[0] (C17)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c18_indirect_source": (
        "Pool.GenericIndirectLoad float32 aALL = float32 bALL, uint32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op ins[0] is in sbuf, expected dram on Pool (C18)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c18_index": (
        "Pool.GenericIndirectLoad float32 aALL = float32 xALL, uint32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op ins[1] (index) is in dram, expected sbuf (C18)",
        "dram uint32 u[128,1]\n",
    ),
    "c30_step": (
        "Pool.GenericIndirectLoad float32 aALL = float32 x[[0,128],[1,512]], "
        "uint32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op ins[0] has step 0 for the index, expected at least 1 (C30)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c30_most": (
        "Pool.GenericIndirectLoad float32 aALL = float32 x[[1,256],[1,256]], "
        "uint32 u[[1,128],[1,1]]",
        "'bir.GenericIndirectLoad' op ins[0] has 256 indices, expected at most 128 (C30)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c30_counts": (
        "Pool.GenericIndirectLoad float32 aALL = float32 xALL, uint32 u[[1,64],[1,1]]",
        "'bir.GenericIndirectLoad' op has 64 indices for 128 rows and 128 partitions, expected as "
        "many of each (C30)",
        "sbuf uint32 u[128,1]\n",
    ),
    "c29_axis_c_on_dve": (
        "DVE.TensorReduce float32 b[[512,1],[1,512]] = float32 aALL op=add axis=C",
        "'bir.TensorReduce' op reduces axis C on DVE, expected Pool (C29)",
    ),
    "c29_free_axis_on_pool": (
        "Pool.TensorReduce float32 s[[1,128],[1,1]] = float32 aALL op=add axis=X",
        "'bir.TensorReduce' op reduces axis X on Pool, expected DVE (C29)",
    ),
    "c29_pairs": (
        "DVE.TensorReduce float32 s[[1,128],[1,1]] = float32 aALL op=add axis=XY",
        "'bir.TensorReduce' op ins[0] has 1 free pairs, expected at least 2 for XY (C29)",
    ),
    "c29_output": (
        "DVE.TensorReduce float32 s[[1,128],[1,1]] = float32 "
        "a[[512,128],[4,128],[1,4]] op=add axis=X",
        "'bir.TensorReduce' op outs[0] is 128 x 1, expected 128 x 128 for axis X (C29)",
    ),
    "c29_partition_operator": (
        "Pool.TensorReduce float32 b[[512,1],[1,512]] = float32 aALL op=mult axis=C",
        "'bir.TensorReduce' op reduces partitions with mult, expected one of add "
        "average max bitwise_or bitwise_and bitwise_xor (C29)",
    ),
    "c29_unary_operator": (
        "DVE.TensorReduce float32 s[[1,128],[1,1]] = float32 aALL op=abs axis=X",
        "'bir.TensorReduce' op reduces with abs, expected an operator of two operands (C29)",
    ),
}

ACCEPTED = {
    "load": "DMA.Load float32 aALL = float32 xALL",
    "load_of_any_partition": (
        "DMA.Load float32 a[[512,5],[1,512]]@1536 = float32 x[[512,5],[1,512]]"
    ),
    "load_every_second_partition": (
        "DMA.Load float32 a[[1024,64],[1,512]] = float32 x[[512,64],[1,512]]"
    ),
    "load_with_cast": "DMA.Load bfloat16 hALL = float32 xALL",
    "load_by_hardware": "SP.Load float32 aALL = float32 xALL dge_type=HWDGE",
    "load_five_pairs": (
        "DMA.Load float32 aALL = float32 x[[512,128],[256,2],[64,4],[16,4],[1,16]]"
    ),
    "indirect_load": (
        "Pool.GenericIndirectLoad bfloat16 h[[512,64],[1,512]]@32768 = "
        "float32 x[[3,64],[256,2],[1,256]]@7, uint32 n[[512,64],[1,1]]@9"
    ),
    "copy_in_dram": "DMA.DMACopy float32 y[[1,65535]] = float32 x[[0,65535]] mode=Copy",
    "last_iteration": (
        "for i0 = 0 to 8 {\nI-0: DMA.Load float32 aALL = float32 xALL@(65536*i0)\n}"
    ),
    "backwards": (
        "for i0 = 0 to 8 {\nI-0: DMA.Load float32 aALL = float32 xALL@(-65536*i0+458752)\n}"
    ),
    "quadrants": (
        "for i0 = 0 to 4 {\n"
        "I-0: DVE.Reciprocal float32 b[[512,32],[1,512]]@(16384*i0) = float32 "
        "a[[512,32],[1,512]]\n"
        "}"
    ),
    "columns": (
        "for i0 = 0 to 4 {\n"
        "I-0: DVE.Reciprocal float32 b[[512,128],[1,128]]@(128*i0) = float32 "
        "a[[512,128],[1,128]]\n"
        "}"
    ),
    "reversed_in_place": "DVE.TensorCopy float32 bALL = float32 a[[512,128],[-1,512]]@511",
    "broadcast_free": "DVE.TensorCopy float32 bALL = float32 s[[1,128],[0,512]]",
    "one_partition_any_step": (
        "DVE.TensorCopy float32 b[[0,1],[1,512]] = float32 a[[7,1],[1,512]]"
    ),
    "other_grouping": "DVE.TensorCopy float32 bALL = float32 a[[512,128],[16,32],[1,16]]",
    "dtype_of_equal_width": (
        "DVE.TensorTensor int32 nALL = int32 aALL, uint32 bALL op=bitwise_xor"
    ),
    "one_in_psum": "DVE.TensorTensor float32 aALL = float32 pALL, float32 bALL op=add",
    "integer_immediate": "Pool.TensorScalar int32 nALL = int32 n2ALL op0=add const0=7",
    "scalar_on_activation": (
        "Activation.TensorScalar float32 bALL = float32 aALL op0=mult const0=2.0 op1=add const1=1.0"
    ),
    "unary_after_scalar": (
        "DVE.TensorScalarPtr float32 bALL = float32 aALL, float32 s[[1,128],[1,1]] op0=mult op1=abs"
    ),
    "matmult_f32": "PE.Matmult float32 pALL = float32 aALL, float32 a[[512,128],[1,128]]",
    "matmult_16_bit": (
        "PE.Matmult float32 p[[512,7],[1,512]] = bfloat16 hALL, float16 k[[512,128],[1,7]]"
    ),
    "matmult_in_second_bank": (
        "PE.Matmult float32 pwide[[4096,128],[1,512]]@512 = float32 aALL, float32 "
        "a[[512,128],[1,128]]"
    ),
    "matmult_into_bank_after_bank": (
        "for i0 = 0 to 8 {\n"
        "I-0: PE.Matmult float32 pwide[[4096,128],[1,512]]@(512*i0) = float32 aALL, "
        "float32 a[[512,128],[1,128]]\n"
        "}"
    ),
    "activation_with_bias": (
        "Activation.Activation bfloat16 hALL = float32 pALL, float32 s[[1,128],[1,1]] "
        "func=Gelu scale=0.5"
    ),
    "reduce_two": (
        "DVE.TensorReduce float32 b[[512,128],[1,8]] = float32 "
        "a[[512,128],[64,8],[8,8],[1,8]] op=max axis=XY"
    ),
    "reduce_partitions": (
        "Pool.TensorReduce float32 b[[512,1],[1,512]] = float32 aALL op=add axis=C"
    ),
    "iota": "Pool.Iota int32 nALL pattern=[[32,16],[1,32]] channel_multiplier=512 base=-1",
    "predicated": "DVE.CopyPredicated float32 bALL = uint8 u8ALL, float32 aALL",
    "memset_limits": "DVE.Memset uint8 u8ALL constant=255 mode=Const",
    "memset_float_of_integers": "Pool.Memset int32 nALL constant=3.0 mode=Const",
}
