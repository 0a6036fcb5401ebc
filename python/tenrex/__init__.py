"""Tenrex evaluates tensor ranking expressions: formulas by which search and recommendation engines score documents.

>>> import numpy as np, tenrex
>>> plan = tenrex.compile("bm25 + 3 * sum(q * d)", query={"q": "tensor<float>(x[3])"},
...                       document={"bm25": "double", "d": "tensor<float>(x[3])"})
>>> query = plan.bind(q=[1, 0, 2])
>>> query(bm25=[1.5, 0.25], d=np.array([[0.5, 1, 0.25], [1, 2, 1]], np.float32))
array([4.5 , 9.25])

compile     an expression becomes a Plan
Plan        bind it to the values of a query; explain, steps and graph tell what it does
Query       call it with columns of documents: numpy, Arrow, pandas, lists
Documents   columns that many queries read
Tensor      a value with named dimensions
Ragged      rows of documents that have different numbers of them
lightgbm    a forest that LightGBM has trained, for expressions; and xgboost
onnx        a network of an ONNX file, for expressions
Profiles    rank profiles of a file: check and rank
Tokenizer   texts as tokens, as tokenizer.json says
Embedder    texts as vectors, by an encoder in a folder
VectorIndex the vectors that are nearest to another one
metrics     NDCG, MAP, MRR, recall
Error       what is wrong, where, and what to do about it
"""

from tenrex import metrics
from tenrex._columns import Ragged
from tenrex._core import version as __version__
from tenrex._embedder import Embedder
from tenrex._error import Error, Issue
from tenrex._forest import Feature, Forest, lightgbm, xgboost
from tenrex._index import VectorIndex
from tenrex._network import Network, Operator, onnx
from tenrex._plan import Documents, Graph, Labels, Plan, Profile, Query, Step, compile
from tenrex._profile import Hit, Profiles, RankProfile
from tenrex._tensor import Tensor
from tenrex._tokenizer import Encoding, Encodings, Tokenizer
from tenrex._type import TensorType
from tenrex._vocabulary import functions, optimizations

Error.__module__ = __name__

__all__ = ["Documents", "Embedder", "Encoding", "Encodings", "Error", "Feature", "Forest", "Graph", "Hit", "Issue", "Labels", "Network", "Operator", "Plan", "Profile", "Profiles", "Query", "Ragged",
           "RankProfile", "Step", "Tensor", "TensorType", "Tokenizer", "VectorIndex", "__version__", "compile", "functions", "lightgbm",
           "metrics", "onnx", "optimizations", "xgboost"]
