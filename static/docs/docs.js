const docs = document.getElementById("docs");
SwaggerUIBundle({ url: docs.dataset.schema, domNode: docs });
