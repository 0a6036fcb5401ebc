"""Texts as tokens."""

from __future__ import annotations

import operator
import os
from typing import Any, Iterable, Iterator, Sequence

import numpy as np

from tenrex._columns import Ragged
from tenrex._error import Error
from tenrex._icu import module_with_icu
from tenrex._made import Made, absolute
from tenrex._progress import Progress, pieces

# So many texts are tokenized before the bar moves.
TEXTS_AT_ONCE = 1000


class Encoding:
    """The tokens of a text, or of a pair of texts.

    ids, type_ids
        Arrays: the numbers of the tokens, and which text each belongs to as the file of the tokenizer says.
    offsets
        Where each token stands: begin and end in its text, 0 and 0 for one that was added.
    is_truncated
        Whether there was more than fits.
    """

    __slots__ = ("ids", "type_ids", "offsets", "is_truncated", "_tokenizer")

    def __init__(self, tokenizer: Tokenizer, ids: np.ndarray, type_ids: np.ndarray, offsets: np.ndarray, is_truncated: bool) -> None:
        self._tokenizer = tokenizer
        self.ids, self.type_ids, self.offsets, self.is_truncated = ids, type_ids, offsets, is_truncated

    @property
    def tokens(self) -> list[str]:
        """The texts of the tokens, as the vocabulary writes them."""
        return [self._tokenizer.token(id) or "" for id in self.ids.tolist()]

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<Encoding of {len(self)} tokens>"


class Encodings(Sequence[Encoding]):
    """The tokens of many texts, one text after the other in arrays: text ``i`` has those from ``starts[i]`` to ``starts[i + 1]``."""

    __slots__ = ("starts", "ids", "type_ids", "offsets", "is_truncated", "_tokenizer")

    def __init__(self, tokenizer: Tokenizer, starts: np.ndarray, ids: np.ndarray, type_ids: np.ndarray, offsets: np.ndarray,
                 is_truncated: np.ndarray) -> None:
        self._tokenizer, self.starts = tokenizer, starts
        self.ids, self.type_ids, self.offsets, self.is_truncated = ids, type_ids, offsets, is_truncated

    def __len__(self) -> int:
        return len(self.is_truncated)

    def __getitem__(self, index: Any) -> Any:
        """The Encoding of a text; of a slice a list of them."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        here = slice(self.starts[number], self.starts[number + 1])
        return Encoding(self._tokenizer, self.ids[here], self.type_ids[here], self.offsets[here],
                        bool(self.is_truncated[number]))

    def __iter__(self) -> Iterator[Encoding]:
        return (self[i] for i in range(len(self)))

    def padded(self, length: int | None = None, pad_id: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What networks take: ids, a mask of ones where tokens are, and type ids, as int64 with a row for each text.

        length
            Of all rows; without it that of the longest text.
        pad_id
            Fills the ids of shorter texts.
        """
        lengths = np.diff(self.starts)
        longest = int(lengths.max()) if len(lengths) else 0
        if length is not None and length < longest:
            raise Error(f"a text has {longest} tokens, more than the length {length}", "tokenize with max_length")
        mask = np.arange(longest if length is None else length) < lengths[:, None]
        ids, type_ids = np.full(mask.shape, pad_id, np.int64), np.zeros(mask.shape, np.int64)
        ids[mask], type_ids[mask] = self.ids, self.type_ids
        return ids, mask.astype(np.int64), type_ids

    def ragged(self) -> Ragged:
        """The ids as a column of documents, for an input with labels: ``tensor<float>(token{})``."""
        return Ragged(self.ids.astype(np.float64), offsets=self.starts)

    def __repr__(self) -> str:
        return f"<Encodings of {len(self)} texts, {len(self.ids)} tokens>"


class Tokenizer(Made):
    """A tokenizer of the file ``tokenizer.json`` or ``vocab.txt`` beside a model.

    ``Tokenizer.load(path)`` reads a file, ``Tokenizer.read(text)`` what such a file holds. Threads may share it; reading
    and tokenizing let other threads of Python run. It needs ICU, a library of the system.

    >>> import tenrex
    >>> vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rank", "##ing", "##s"]
    >>> tokenizer = tenrex.Tokenizer.read_vocabulary("\\n".join(vocabulary))
    >>> encoding = tokenizer.encode("Ranking ranks")
    >>> encoding.tokens
    ['[CLS]', 'rank', '##ing', 'rank', '##s', '[SEP]']
    >>> encoding.offsets[1:3].tolist()
    [[0, 4], [4, 7]]
    """

    __slots__ = ("_core", "__weakref__")

    def __init__(self, core: Any) -> None:
        self._core = core

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, lower_case: bool = True) -> Tokenizer:
        """Reads a file; one that is called .txt has a token of a BERT model a line.

        ``lower_case`` is for such a vocabulary: whether the model is uncased.
        """
        made = cls(module_with_icu("_text").Tokenizer.load(os.fspath(path), lower_case))
        made._made_by(cls.load, absolute(path), lower_case=lower_case)
        return made

    @classmethod
    def read(cls, json: str | bytes) -> Tokenizer:
        """A tokenizer of what tokenizer.json holds."""
        return cls._of_bytes(_bytes(json), False, True)

    @classmethod
    def read_vocabulary(cls, lines: str | bytes, *, lower_case: bool = True) -> Tokenizer:
        """A tokenizer of a BERT model, of its vocabulary: a token a line."""
        return cls._of_bytes(_bytes(lines), True, lower_case)

    @classmethod
    def _of_bytes(cls, content: bytes, is_vocabulary: bool, lower_case: bool) -> Tokenizer:
        made = cls(module_with_icu("_text").Tokenizer.read(content, is_vocabulary, lower_case))
        made._made_by(cls._of_bytes, content, is_vocabulary, lower_case)
        return made

    def encode(self, text: str, pair: str | None = None, *, max_length: int | None = None, special_tokens: bool = True,
               plain_text: bool = False, offsets: str = "characters") -> Encoding:
        """The tokens of a text, or of a text and another one that comes with it.

        max_length
            The most tokens, with those that are added; without it as the file says.
        special_tokens
            Puts around the text what the file says, such as [CLS] and [SEP].
        plain_text
            Reads special tokens in the text as any other text: what users write is no command.
        offsets
            In what they count: "characters" of the text, as Python does, or "bytes" of it in UTF-8.
        """
        return self.encode_batch([text], None if pair is None else [pair], max_length=max_length, special_tokens=special_tokens,
                                 plain_text=plain_text, offsets=offsets)[0]

    def encode_batch(self, texts: Iterable[str], pairs: Iterable[str] | None = None, *, max_length: int | None = None,
                     special_tokens: bool = True, plain_text: bool = False, offsets: str = "characters", progress: bool = False) -> Encodings:
        """The tokens of many texts; ``pairs`` has a second text for each. ``encode`` explains the options.

        ``progress`` shows a bar: that of tqdm if it is installed.
        """
        first, second = texts_of(texts, "texts"), None if pairs is None else texts_of(pairs, "pairs")
        if second is not None and len(second) != len(first):
            raise Error(f"there are {len(first)} texts and {len(second)} pairs", "one for each text")
        if offsets not in ("characters", "bytes"):
            raise Error(f"offsets cannot count {offsets!r}", "they count characters or bytes")
        if max_length is not None and operator.index(max_length) < 0:
            raise Error(f"max_length must be 0 or more, not {max_length}")
        parts = []
        with Progress(len(first), "texts", progress) as bar:
            for piece in pieces(len(first), TEXTS_AT_ONCE if progress else max(len(first), 1)):
                parts.append(self._core.encode(first[piece], None if second is None else second[piece],
                                               offsets == "bytes", special_tokens, plain_text, max_length))
                bar.advance(len(parts[-1][-1]))
        return Encodings(self, *(parts[0] if len(parts) == 1 else _joined(parts)))

    @property
    def vocabulary_size(self) -> int:
        """One more than the largest id."""
        return self._core.size

    def token(self, id: int) -> str | None:
        """The token of an id as the file writes it, or None."""
        number = operator.index(id)
        return self._core.token(number) if 0 <= number < self.vocabulary_size else None

    def id_of(self, token: str) -> int | None:
        """The id of a token, or None."""
        return self._core.id_of(token)

    def __repr__(self) -> str:
        return f"<Tokenizer of {self.vocabulary_size} tokens>"


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def texts_of(texts: Iterable[str], what: str) -> list[str]:
    if isinstance(texts, str):
        raise Error(f"{what} must be a list of texts, not one text", "encode takes one")
    listed = list(texts)
    for number, text in enumerate(listed):
        if not isinstance(text, str):
            raise Error(f"text {number} of {what} is {text!r}, not a str")
    return listed


def _joined(parts: list[Any]) -> list[np.ndarray]:
    starts, *others = zip(*parts)
    shifts = np.cumsum([0] + [each[-1] for each in starts[:-1]])
    joined = [np.concatenate([starts[0][:1], *(each[1:] + shift for each, shift in zip(starts, shifts))])]
    return joined + [np.concatenate(arrays) for arrays in others]
