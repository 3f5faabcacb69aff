import { and, eq } from 'drizzle-orm'
import { createCache } from '../cache.ts'
import { invalid } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { site_templates, TEMPLATE_KINDS, type TemplateKind } from '../store/tables/sites.ts'
import { DEFAULT_TEMPLATES } from './default-templates.ts'
import { type Names, readTemplate, type Template } from './site-template.ts'

/** How a site shows its posts: the project's own templates, or the product's (docs/api/sites.md#templates). */

export const MAX_TEMPLATE_BYTES = 256 * 1024

const SITE = Object.fromEntries(
  ['name', 'language', 'direction', 'color', 'link_color', 'home', 'posts', 'feed'].map((name) => [
    `site.${name}`,
    'often' as const,
  ]),
)
const LISTED_POST = Object.fromEntries(
  ['title', 'url', 'address', 'date', 'time', 'author', 'category', 'tags', 'excerpt'].map((name) => [
    ...[`post.${name}`, 'often' as const],
  ]),
)

/** The placeholders of each template. */
export const TEMPLATE_NAMES: Readonly<Record<TemplateKind, Names>> = {
  post: { ...SITE, ...LISTED_POST, 'post.content': 'once' },
  index: {
    ...SITE,
    posts: LISTED_POST,
    'page.newer': 'often',
    'page.newer_number': 'often',
    'page.older': 'often',
    'page.older_number': 'often',
  },
}

export interface SiteTemplate {
  kind: TemplateKind
  html: string
  /** The time of the last change of the project's own template; null for the product's. */
  updated_at: number | null
}

export async function getTemplate(db: Reader, project_id: ProjectId, kind: TemplateKind): Promise<SiteTemplate> {
  const { html, updated_at } = site_templates
  const own = first(await db.select({ html, updated_at }).from(site_templates).where(of(project_id, kind)))
  return { kind, ...(own ?? { html: DEFAULT_TEMPLATES[kind], updated_at: null }) }
}

export async function listTemplates(db: Reader, project_id: ProjectId): Promise<SiteTemplate[]> {
  return Promise.all(TEMPLATE_KINDS.map((kind) => getTemplate(db, project_id, kind)))
}

/** Sets the project's own template. VALIDATION_FAILED at `/html` for one that cannot be read. */
export async function setTemplate(
  tx: Tx,
  project_id: ProjectId,
  { kind, html }: { kind: TemplateKind; html: string },
  now: number,
): Promise<SiteTemplate> {
  if (Buffer.byteLength(html) > MAX_TEMPLATE_BYTES)
    throw invalid('/html', `A template has at most ${MAX_TEMPLATE_BYTES} bytes.`)
  readTemplate(html, TEMPLATE_NAMES[kind])
  const row = { html, updated_at: now }
  await tx
    .insert(site_templates)
    .values({ project_id, kind, ...row })
    .onConflictDoUpdate({ target: [site_templates.project_id, site_templates.kind], set: row })
  return { kind, ...row }
}

/** Goes back to the product's template. */
export async function resetTemplate(tx: Tx, project_id: ProjectId, kind: TemplateKind): Promise<SiteTemplate> {
  await tx.delete(site_templates).where(of(project_id, kind))
  return getTemplate(tx, project_id, kind)
}

const templates = createCache<string, Template>({ max_size: 8 * 1024 * 1024, sizeOf: (_, key) => key.length })

/** The project's template, read. */
export async function templateFor(db: Reader, project_id: ProjectId, kind: TemplateKind): Promise<Template> {
  const { html } = await getTemplate(db, project_id, kind)
  return templates.getOrMake(`${kind} ${html}`, () => readTemplate(html, TEMPLATE_NAMES[kind]))
}

function of(project_id: ProjectId, kind: TemplateKind) {
  return and(eq(site_templates.project_id, project_id), eq(site_templates.kind, kind))
}
