# The service without a Postgres; compose.yaml adds one. Build: docker build -t retention-flow-service .

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN npm ci
COPY . .
# Without the folder .git, the build can't find it out.
ARG COMMIT
RUN npm run build && node scripts/sbom.mjs

# dist has all packages in it, without the embedded Postgres.
FROM node:24-slim
LABEL org.opencontainers.image.title="Retention Flow Service" \
  org.opencontainers.image.description="Self-hosted retention flows behind a \"cancel my subscription\" button" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/dist dist
# The user "node". As a number, so that Kubernetes can tell that it is not root (runAsNonRoot).
USER 1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPERATION_PORT || process.env.PORT || 3000) + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node's 16 MB for new objects fill up while requests wait for the database. What these hold counts as old then, and is collected late.
CMD ["node", "--max-semi-space-size=64", "dist/src/main.js"]
