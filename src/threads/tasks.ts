import type { HeavyTask } from '../store/open.ts'

type AnyTask = HeavyTask<never, unknown>

/**
 * All work other than single queries that runs on the reading threads, by its name. A task loads its code when it runs
 * first: a thread that had to load all of it would start five times as slowly.
 */
export const threadTasks: Readonly<Record<string, () => Promise<AnyTask>>> = {
  backup: async () => (await import('../store/backup.ts')).backupTask,
  check_table: async () => (await import('../store/table-check.ts')).checkTableTask,
  compile_message: async () => (await import('../newsletter/campaigns/compile-task.ts')).compileTask,
  examine_import: async () => (await import('../newsletter/imports/dry-run.ts')).examineImport,
  export_page: async () => (await import('../newsletter/contacts/export.operations.ts')).exportPage,
  head_of_import: async () => (await import('../newsletter/imports/head.ts')).headTask,
  make_backup: async () => (await import('../backup/make.ts')).makeBackupTask,
  parse_body: async () => (await import('../operation/json-body.ts')).parseTask,
  project_export: async () => (await import('../projects/export.ts')).projectExportTask,
  safe_html: async () => (await import('../sites/safe-html.ts')).safeHtmlTask,
  sitemap: async () => (await import('../sites/site-posts.ts')).sitemapTask,
}

/** Throws an Error for a name that no task has. */
export function loadTask(name: string): Promise<AnyTask> {
  const load = threadTasks[name]
  if (!load) throw new Error(`There is no task ${name}.`)
  return load()
}
