DROP TABLE document_links;
DROP TABLE plan_documents;
DROP FUNCTION refuse_changing_document();
