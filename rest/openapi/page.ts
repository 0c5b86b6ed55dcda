/** The page at `/docs`: Swagger UI, served locally, the script that starts it, and its content security policy. */

export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Graphbooru: REST reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/init.js"></script>
  </body>
</html>
`;

/** Without the validator's badge, which would send a request to another host. */
export const INIT = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null,
});
`;

/** The content security policy of the page. @param publicUrl origin of the operations, if it may differ from the page's */
export const policyFor = (publicUrl: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${publicUrl ? ` ${publicUrl}` : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
