"""English, for what is measured in bytes."""

TITLES = {
    "local-layers": "Layers with a window",
    "global-layers": "Layers without one",
    "largest-output": "Largest output of a matrix",
}

REASONS = {
    "each-bytes": "As many bytes for each parameter.",
    "each-quantised": "Its numbers take {numbers} bytes, and the scales beside them {scales}.",
    "each-gradients": "A gradient for each parameter.",
    "each-optimizer-states": "What the optimiser keeps of its tensors.",
    "each-training-memory": "Its weights take {weights} bytes, their gradients {gradients}, and the states of the optimiser {optimizer-"
    "states}.",
    "each-inference": "Its numbers take {numbers} bytes, and scales beside them {scales}.",
    "LargestOutput-inference": "For each of {passing} rows {width} numbers leave the widest matrix; they are kept until the next block "
    "has read them.",
    "DotProduct-cached": "Of each token that was written the keys and the values are kept.",
    "DotProduct-inference": "Of each token that was written the keys and the values are kept.",
}

SENTENCES = {
    "in-format": ", in {format}",
    "measure-weights": "bytes of the weights",
    "measure-kv-cache": "bytes of the cache",
    "measure-inference-memory": "bytes of inference at its peak",
    "measure-gradients": "bytes of the gradients",
    "measure-optimizer-states": "bytes of the optimiser's states",
    "measure-training-memory": "bytes of weights, gradients and optimiser states in training",
    "cache-window": ", within a window",
    "optimizer-adam-mixed": ", with Adam in mixed precision",
    "optimizer-adam-mixed-float32-gradients": ", with Adam in mixed precision and 32-bit gradients",
    "optimizer-adam": ", with Adam",
    "optimizer-adam-8bit": ", with 8-bit Adam",
    "optimizer-adafactor": ", with Adafactor",
    "optimizer-lion": ", with Lion",
    "optimizer-sgd-momentum": ", with SGD and momentum",
    "optimizer-sgd": ", with SGD",
    "zero-1": ", with stage 1 of ZeRO",
    "zero-2": ", with stage 2 of ZeRO",
    "zero-3": ", with stage 3 of ZeRO",
    "why-of-matrices": "Matrices are quantised, the tables of tokens among them; positions, routers, norms and biases are in 32 bits. A "
    "matrix takes the bits of its numbers, and those of the scales of its blocks.",
    "why-of-linear": "The matrices of linear layers are quantised, that of the output head excepted; the rest is in 16 bits. A matrix "
    "takes the bits of its numbers, and those of its scales.",
    "why-of-layers": "The matrices of the layers are quantised; embeddings, the output head, routers, norms and biases are in 16 bits. A "
    "matrix takes the bits of its numbers, and those of its scales.",
    "why-cache-window": "In layers with a window the last {w} tokens of a sequence are kept, and in others all of them.",
    "why-inference": "A step keeps the weights and the cache, and for a moment the largest output of a matrix. Attention is taken to be "
    "computed in one call, so that its scores are in no memory.",
    "why-optimizer-adam-mixed": "The optimiser keeps 12 bytes of each parameter: a copy of the weight and two moments, in 32 bits each.",
    "why-optimizer-adam-mixed-float32-gradients": "The optimiser keeps 12 bytes of each parameter: a copy of the weight and two moments, "
    "in 32 bits each. Gradients are in 32 bits too.",
    "why-optimizer-adam": "The optimiser keeps two moments of each parameter, in the format of the weights.",
    "why-optimizer-adam-8bit": "The optimiser keeps two moments of each parameter, in 8 bits each, and a scale of 32 bits for each 256 of"
    " them; of a tensor with less than 4,096 numbers in 32 bits, without scales.",
    "why-optimizer-adafactor": "Of a matrix the optimiser keeps a number for each row and one for each column, of other tensors one for "
    "each parameter, in the format of the weights.",
    "why-optimizer-lion": "The optimiser keeps one moment of each parameter, in the format of the weights.",
    "why-optimizer-sgd-momentum": "The optimiser keeps one moment of each parameter, in the format of the weights.",
    "why-optimizer-sgd": "The optimiser keeps nothing.",
    "why-zero-1": "The {n_d} ranks of data parallelism share the states of the optimiser.",
    "why-zero-2": "The {n_d} ranks of data parallelism share the states of the optimiser and the gradients.",
    "why-zero-3": "The {n_d} ranks of data parallelism share the states of the optimiser, the gradients and the weights.",
    "window-in-cache-condition": "The formula holds for windows that are no longer than what is in the cache, w <= S.",
    "blocks-condition": "The formula holds where the sizes are whole numbers of the format's blocks.",
    "small-tensors-condition": "The formula holds where each vector has less than 4,096 numbers, and where each matrix has 4,096 or more "
    "and a whole number of blocks of 256.",
    "largest-output-condition": "The formula holds where no matrix has a larger output than that of the head, or without a head than that"
    " of the feed-forward part.",
}
