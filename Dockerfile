# Built from a checkout: docker build -t artwork-mcp .
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /packed

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="artwork-mcp" \
      org.opencontainers.image.source="https://github.com/artwork-mcp/artwork-mcp" \
      org.opencontainers.image.licenses="MIT" \
      io.modelcontextprotocol.server.name="io.github.artwork-mcp/artwork-mcp"
COPY --from=build /packed /packed
RUN npm install --global --no-audit --no-fund /packed/*.tgz \
    && rm -rf /packed /root/.npm \
    && mkdir /data \
    && chown node:node /data
ENV ARTWORK_HOME=/data
VOLUME /data
USER node
# Hosts speak over stdin and stdout: run with -i and without -t.
ENTRYPOINT ["artwork-mcp"]
