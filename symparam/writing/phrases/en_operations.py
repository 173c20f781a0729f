"""English: what is said of operations, and of those who count them."""

REASONS = {
    "Linear-rows": "Each of {passing} rows is multiplied by a matrix of {matrix}.",
    "Conv1D-rows": "Each of {passing} rows is multiplied by a matrix of {matrix}.",
    "Conv1d-rows": "The filter stands at {passing} places, with {inputs} inputs and {outputs} outputs at each.",
    "Conv2d-rows": "The filter stands at {passing} places, with {inputs} inputs and {outputs} outputs at each.",
    "Experts-rows": "Each of {passing} rows passes through {used} of {experts} experts.",
    "DotProduct-rows": "Each of {passing} queries is multiplied with its keys, {key_width} features in all heads, "
    "and the weights with as many values of {value_width}.",
    "StateReadout-rows": "For each of {passing} rows the states of {channels} channels, {state} numbers each, are read out.",
    "Linear-tool": "{passing} rows pass through a matrix of {matrix}; what the tool sees of the product and of a bias.",
    "Conv1D-tool": "{passing} rows pass through a matrix of {matrix}; what the tool sees of the product and of the bias.",
    "Conv1d-tool": "The filter stands at {passing} places; what the tool sees of it.",
    "Conv2d-tool": "The filter stands at {passing} places; what the tool sees of it.",
    "LayerNorm-tool": "{passing} rows of {width} numbers are normalised; what the tool takes each for.",
    "Activation-tool": "A function of {width} numbers in each of {passing} rows; what the tool takes each for.",
    "DotProduct-tool": "{passing} queries; what the tool sees of their products with the keys, of the softmax and of the weighted sums.",
    "StateReadout-tool": "For each of {passing} rows the states of {channels} channels are read out; what the tool sees of that.",
    "Experts-tool": "{passing} rows pass through {used} of {experts} experts; what the tool sees of that.",
    "Embedding-tool": "{passing} rows are looked up in a table of {table}, which is taken for a product with all of it.",
    "each-tool": "What the tool counts of each of {passing} rows.",
    "Linear-script": "{passing} rows pass through a matrix of {matrix}: two for each multiplication with its addition, and "
    "one for each bias.",
    "Conv1D-script": "{passing} rows pass through a matrix of {matrix}: two for each multiplication with its addition, and "
    "one for each bias.",
    "Embedding-script": "Looking a token up is taken for a product with the whole table, {table}; so are the position, one of "
    "as many as there are tokens in a sequence, and the type, one of two. Of each number two for adding them up, five for the "
    "LayerNorm and four for dropout.",
    "DotProduct-script": "{passing} queries are multiplied with {keys} keys and the weights with as many values, two for each "
    "multiplication; and for each score of each head five for the softmax, four for dropout and one for the scale.",
    "output-projection-script": "{passing} rows pass through a matrix with a bias. Of each of {outputs} numbers four for dropout and "
    "one for the residual; and five for the LayerNorm, for each row and not for each number.",
    "feed-forward-in-script": "{passing} rows pass through a matrix with a bias. Of each of {outputs} numbers eight for the activation "
    "function.",
    "feed-forward-out-script": "{passing} rows pass through a matrix with a bias. Of each of {outputs} numbers four for dropout, one "
    "for the residual and five for the LayerNorm.",
    "head-transform-script": "Of 5 in 32 rows, those whose token is predicted: a matrix with a bias, and of each of {outputs} numbers "
    "eight for the activation function and five for the LayerNorm.",
    "head-transform-linear-script": "Of 5 in 32 rows, those whose token is predicted: a matrix with a bias, and of each of {outputs} "
    "numbers eight for the activation function and five for the LayerNorm.",
    "vocabulary-projection-script": "Of 5 in 32 rows, those whose token is predicted: the product with the table, without a bias, and "
    "of each of {outputs} tokens five for the softmax and two for the loss.",
    "language-model-head-script": "Of all rows: the product with the table, and of each of {outputs} tokens five for the softmax and "
    "two for the loss; and the hidden layer of {inputs} numbers with activation function and LayerNorm that the script has before "
    "every head.",
    "pooler-script": "For every token of a sequence: a matrix with a bias, and of each of {outputs} numbers eight for the activation "
    "function.",
    "classifier-transform-script": "For every token of a sequence: a matrix with a bias, and of each of {outputs} numbers eight for "
    "the activation function.",
    "classifier-script": "For every token of a sequence: {inputs} multiplications for one label, two for each.",
    "replaced-or-not-script": "For every token of a sequence: {inputs} multiplications for one label, two for each.",
    "next-sentence-script": "For every token of a sequence: {inputs} multiplications for one label, two for each.",
}

SENTENCES = {
    "quirk-kaplan": "Embeddings and the output head are left out, and of the two products of attention one half counts, in a row of the "
    "table that is called Mask.",
    "quirk-chinchilla": "Looking a token up counts as a product with the whole table, and the softmax three for each number.",
    "quirk-megatron": "It counts products of matrices alone, that of the output head among them, and the attention of all pairs of tokens.",
    "quirk-palm": "Each parameter counts as one of a matrix that every token is multiplied by, those of norms and embeddings too.",
    "quirk-electra": "Beside the products it counts an operation for each bias and residual, four for each number of dropout, five of "
    "a LayerNorm and of a softmax, and eight of an activation function; looking a token up counts as a product with the whole table.",
    "quirk-electra-tokens": "A masked language model predicts 5 in 32 tokens, and a classifier stands at every token; every model has "
    "two token types, biases, and a hidden layer before the vocabulary.",
    "quirk-electra-norm": "The LayerNorm of the attention counts five for each token and not for each number, as the script leaves out "
    "the factor.",
    "quirk-electra-training": "It takes the backward pass for as much as the forward pass, so that its training step is twice this and "
    "not three times.",
    "counted-as": "{tool} is followed as it counts, in {unit}: nothing is put right.",
    "under": "{model} as {convention} counts it",
    "quirk-modules-alone": "It sees modules of torch alone (Linear, convolutions, LayerNorm): neither Conv1D of GPT-2, nor subclasses "
    "of Linear, nor functions.",
    "quirk-no-core": "It does not see the products of attention.",
    "quirk-norm-four": "A LayerNorm with scale and shift counts four for each number, and no norm of another class counts.",
    "quirk-norm-five": "A LayerNorm with scale and shift counts five for each number, and no norm of another class counts.",
    "quirk-batch-of-dict": "The inputs are a dict, as models of transformers need them; then it takes the whole batch for one sample. "
    "Of one tensor as input it divides what modules count by the batch, and leaves what functions count whole.",
    "quirk-no-operator": "It does not see products that are written with the operator @.",
    "quirk-no-fused": "It does not see scaled_dot_product_attention, which counts nothing.",
    "quirk-fused-on-cpu": "On the CPU scaled_dot_product_attention counts nothing, unless torch takes it apart, as it does where "
    "values are narrower than keys or one key serves several heads.",
    "quirk-no-baddbmm": "It does not see baddbmm, with which BLOOM multiplies queries with keys.",
    "quirk-bias": "Biases count, one for each row and output, of functions that add them.",
    "quirk-bias-once": "The bias of addmm, as in Conv1D, counts once and not for each row.",
    "quirk-module-and-function": "A module of ReLU counts twice, as a module and by the function that it calls; a GELU that a module "
    "took from torch before the count does not.",
    "quirk-called-flops": "It calls multiply-accumulate operations flops.",
    "quirk-products-alone": "It sees products of matrices and convolutions alone, and not grouped_mm, which multiplies experts.",
    "quirk-macs-of-products": "MACs are those of products alone; functions of single numbers are FLOPs.",
    "measure-macs": "multiply-accumulate operations (MACs) of a forward pass",
    "measure-flops": "floating-point operations (FLOPs) of a forward pass",
    "measure-backward-macs": "multiply-accumulate operations (MACs) of a backward pass",
    "measure-backward-flops": "floating-point operations (FLOPs) of a backward pass",
    "measure-training-macs": "multiply-accumulate operations (MACs) of a training step",
    "measure-training-flops": "floating-point operations (FLOPs) of a training step",
    "measure-decoding-macs": "multiply-accumulate operations (MACs) of one more token",
    "measure-decoding-flops": "floating-point operations (FLOPs) of one more token",
    "attention-causal": ", with causal attention",
    "attention-window": ", with attention within a window",
    "recomputing-selective": ", with selective recomputation",
    "recomputing-full": ", with full recomputation",
    "why-products-MACs": "A product of an m by k with a k by n matrix counts mkn multiply-accumulate operations (MACs). Biases, norms, "
    "activation functions and the softmax are left out.",
    "why-products-FLOPs": "A product of an m by k with a k by n matrix counts 2mkn floating-point operations (FLOPs): mkn multiplications, "
    "each with an addition. Biases, norms, activation functions and the softmax are left out.",
    "why-pass-backward": "Where the forward pass has one product the backward pass has two, one for the gradient of what was multiplied "
    "and one for that of the weights, or in attention one for each of the two factors. So each counts twice.",
    "why-pass-training": "The forward pass counts once and the backward pass twice, as it has two products where the forward pass has one: "
    "one for the gradient of what was multiplied and one for that of the weights, or in attention one for each of the two factors. The "
    "optimiser is left out.",
    "why-pass-decoding": "Of each sequence one token is computed, whose query sees those in the cache and itself.",
    "why-attention-causal": "A query is multiplied with no key behind its own, so with {half} of the {L} keys on average.",
    "why-attention-window": "A query is multiplied with no key behind its own, and with the last {w} of the others, its own among them.",
    "why-recomputing-selective": "The products of attention in the layers count once more, as their scores were not kept and the "
    "backward pass computes them again.",
    "why-recomputing-full": "The layers count once more, as only what enters each was kept and the backward pass runs its forward pass "
    "again; what is in no layer, such as the output head, does not.",
    "why-among-sequences": "All is divided by {B}, the sequences of the batch.",
    "why-among-tokens": "All is divided by {BL}, the tokens of the batch.",
    "why-among-tokens-of-decoder": "All is divided by {BL}, the tokens that the decoder reads, and so is what is computed for the source.",
    "why-among-new-tokens": "All is divided by {B}, as each sequence of the batch gets one more token.",
}
