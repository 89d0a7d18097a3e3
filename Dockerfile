FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    HF_HUB_OFFLINE=1 \
    PAM_HOME=/var/lib/pam

RUN useradd --system --user-group --create-home --home-dir /var/lib/pam --shell /usr/sbin/nologin pam
WORKDIR /app

# torch without CUDA is a tenth of the size: give the address of PyTorch's CPU index as TORCH_INDEX.
ARG TORCH_INDEX=
COPY pyproject.toml constraints.txt ./
RUN pip install --constraint constraints.txt ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch==2.13.0

# What changes seldom first: the next build of changed code starts after this layer.
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" \
        > /tmp/requirements.txt \
    && pip install --constraint constraints.txt --requirement /tmp/requirements.txt \
    && rm /tmp/requirements.txt

COPY . .
RUN pip install --no-deps --editable . \
    && PAM_SECRET_KEY=for-this-step-only python manage.py collectstatic --no-input --verbosity 0 \
    && python -m compileall -q accounts memories mcp_gateway pam

USER pam
EXPOSE 8000
CMD ["uvicorn", "pam.asgi:application", "--host=0.0.0.0", "--port=8000", "--lifespan=on", "--no-access-log"]
