"""An architecture of symparam's in the format of ``print(model)``, as torch has it from version 2 on, and as it had it before."""

from __future__ import annotations

from symparam.models.blocks import Activation, Block, Conv1D, DotProduct, Embedding, LayerNorm, Linear, Module, Repeat, RMSNorm, Tied


def printed(module: Module, older: bool = False) -> str:
    if isinstance(module, Tied):
        return printed(module.inner, older)
    if isinstance(module, Linear):
        return f"Linear(in_features={module.in_features}, out_features={module.out_features}, bias={module.bias})"
    if isinstance(module, Conv1D):
        return f"Conv1D(nf={module.out_features}, nx={module.in_features})"
    if isinstance(module, Embedding):
        return f"Embedding({module.num_embeddings}, {module.embedding_dim})"
    if isinstance(module, LayerNorm):
        return f"LayerNorm(({module.normalized_shape},), eps=1e-05, elementwise_affine=True)"
    if isinstance(module, RMSNorm):
        return f"{module.kind}(({module.normalized_shape},), eps=1e-06)"
    if isinstance(module, Repeat):
        count = int(module.count)
        if older or count == 1:
            return around("ModuleList", [f"({number}): {printed(module.body, older)}" for number in range(count)])
        return around("ModuleList", [f"(0-{count - 1}): {count} x {printed(module.body, older)}"])
    assert isinstance(module, Block)
    return around(
        module.kind, [f"({name}): {printed(part, older)}" for name, part in module.parts if not isinstance(part, (Activation, DotProduct))]
    )


def around(kind: str, lines: list[str]) -> str:
    inside = "\n".join(lines).replace("\n", "\n  ")
    return f"{kind}(\n  {inside}\n)"
