import { and, eq } from 'drizzle-orm'
import { translationsFor } from '../../i18n/languages.ts'
import type { ProjectId } from '../../ids.ts'
import { openLists } from '../../newsletter/consent/sign-up-forms.ts'
import { listsWithLetters } from '../../newsletter/lists/public-letters.ts'
import { getProject } from '../../projects/projects.ts'
import type { Runtime } from '../../runtime.ts'
import { LETTERS_PATH, siteAddress } from '../../sites/addresses.ts'
import { pages } from '../../store/tables/sites.ts'
import { html, type Markup } from '../core/markup.ts'

/**
 * Links below a message of thanks: to the archive of letters and to the project's site, where it has them. False
 * without either.
 * @param project its language is that of the page
 */
export async function waysOn(
  { store: { db }, base_url }: Pick<Runtime, 'store' | 'base_url'>,
  { id, locale }: { id: ProjectId; locale: string | null },
): Promise<Markup | false> {
  const project = await getProject(db, id)
  const letters = await openLists(db, { project_id: id, list_ids: await listsWithLetters(db, id) })
  const [home] = await db
    .select({ id: pages.id })
    .from(pages)
    .where(and(eq(pages.project_id, id), eq(pages.path, '/'), eq(pages.published, true)))
  const site = siteAddress(project, base_url)
  const links = [
    ...(letters.length > 0
      ? [html`<a href="${site}${LETTERS_PATH}/">${translationsFor(locale).letters.title}</a> `]
      : []),
    ...(home ? [html`<a href="${site}/"><bdi>${project.name}</bdi></a>`] : []),
  ]
  return links.length > 0 && html`<p>${links}</p>`
}
