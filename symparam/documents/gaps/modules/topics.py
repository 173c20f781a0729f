"""What a label is about: words of English, Chinese, Japanese and Korean for the parts that people divide a model into."""

from __future__ import annotations

import re

_WORDS = {
    "token": r"word|token(?![ _-]?type)|\bwte\b|词向量|词嵌入|詞嵌入|词元嵌入|单词|トークン埋め込み|単語|단어|토큰 ?임베딩",
    "position": r"position|\bpos[ _-]|\bwpe\b|位置|ポジション|위치",
    "token-type": r"segment|token[ _-]?type|sentence[ _-](?:emb|type)|分段|段嵌入|段落|句子|セグメント|세그먼트|문장",
    "embedding": r"embed|嵌入|词向量|埋め込み|エンベディング|임베딩",
    "norm": r"norm(?!al distribution)|(?:\b|_)ln(?:\b|_)|归一|歸一|规范化|規範化|標準化|正規化|정규화",
    "attention": r"att(?:entio)?n|\bm[hs]a\b|\bqkv\b|注意力|アテンション|注意機構|어텐션|주의",
    "feed-forward": r"feed[ _-]?forward|\bffn?\b|\bmlp\b|前馈|前饋|全连接|全連接|フィードフォワード|順伝播|피드 ?포워드|intermediate",
    "pooler": r"pool|池化|プーリング|풀링|풀러",
    "head": r"(?:lm|language[ _-]?model(?:l?ing)?|output|prediction|mlm)[ _-]?(?:head|layer|linear|embed\w*)s?\b"
    r"|\bcls\b|unembed|logit|softmax layer|to the vocabulary|vocabulary-"
    r"|输出层|輸出層|输出头|语言模型头|预测头|出力層|출력 ?층|출력 ?레이어",
    "layer": r"transformer|encoder|decoder|\bblocks?\b|\blayers\b|编码器|編碼器|解码器|エンコーダ|デコーダ|인코더|디코더",
}
_PATTERNS = {topic: re.compile(pattern, re.IGNORECASE) for topic, pattern in _WORDS.items()}
_MAX_LABEL = 500  # Characters; nothing longer is a label.

TABLES = frozenset({"token", "position", "token-type"})
_IN_LAYERS = frozenset({"attention", "feed-forward", "norm"})


def topics_of_label(label: str) -> frozenset[str]:
    """What a person's words beside a number say that it counts; nothing where they do not say it.

    Embeddings of no particular kind are all tables; a layer of no particular kind is everything that a layer consists of.
    """
    found = {topic for topic, pattern in _PATTERNS.items() if pattern.search(label[:_MAX_LABEL])}
    if "head" in found:
        found -= TABLES | {"embedding"}
    if "embedding" in found and not found & TABLES:
        found |= TABLES
    if found == {"layer"}:
        found |= _IN_LAYERS
    return frozenset(found - {"embedding", "layer"})


def topic_of_module(names: list[str]) -> str:
    """The part of a model to which a module belongs, from its own role or name and those around it, the outermost first."""
    for name in reversed(names):
        for topic in ("head", "pooler", "attention", "feed-forward"):
            if _PATTERNS[topic].search(name) or (topic == "head" and "head" in re.split(r"[-_]", name)):
                return topic
    return ""


def topic_of_table(names: list[str]) -> str:
    """The topic of an embedding: its positions and token types are told from its tokens by its role or name."""
    own = names[-1] if names else ""
    return next((topic for topic in ("token-type", "position") if _PATTERNS[topic].search(own)), "token")
