/** What a module brings into the database. */
export interface ModuleTables {
  /** Also the name of its schema: `payments`. */
  readonly name: string;
  /** Numbered files of SQL, `0001_tables.sql`: applied in order, each once and in one transaction. */
  readonly migrations?: { readonly directory: URL } | undefined;
  readonly evidence?: ModuleEvidence | undefined;
}

/** Relations, `schema.view`, in which a module shows what its operations left. Their columns: db/evidence/README.md. */
export interface ModuleEvidence {
  /** Business rows. */
  readonly effects?: readonly string[] | undefined;
  /** What it posted. */
  readonly entries?: readonly string[] | undefined;
}
