/** The headers of our own pages. What the widget promises to work under, with the service as `self`. */
export const STRICT = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    // The logo of a workspace is on any site.
    "img-src 'self' https: data:",
    "require-trusted-types-for 'script'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
};
