# docker build -t bobbin .    then    docker run --init -p 127.0.0.1:3000:3000 -v bobbin:/data bobbin
# docs/running.md says what the sandbox of commands needs, and where settings go.

FROM node:24-bookworm-slim AS packages
WORKDIR /bobbin
COPY package.json package-lock.json .npmrc ./
COPY scripts/slim.js scripts/unread.js scripts/
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
# Without bubblewrap, Bobbin refuses to run commands; Python is for scripts and what skills install. Tesseract reads scans:
# add languages, such as tesseract-ocr-deu.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap python3 python3-pip tesseract-ocr \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 700 /data /data/config
WORKDIR /bobbin
COPY --from=packages /bobbin/node_modules node_modules
COPY package.json package-lock.json .env.example ./
COPY config config
COPY manifests manifests
COPY skills skills
COPY src src
ENV BOBBIN_HOME=/data BOBBIN_DATA_DIR=/data BOBBIN_HOST=0.0.0.0 BOBBIN_PORT=3000
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BOBBIN_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/bin.js"]
CMD ["start"]
