import { and, eq, sql } from 'drizzle-orm'
import { invalidRequest } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { lists } from '../../store/tables/audience.ts'

/** The lists whose sent letters are public, also archived ones, whose letters are not shown. */
export async function listsWithLetters(db: Reader, project_id: ProjectId): Promise<number[]> {
  const rows = await db
    .select({ id: lists.id })
    .from(lists)
    .where(and(eq(lists.project_id, project_id), eq(lists.letters_public, true)))
    .orderBy(lists.id)
  return rows.map(({ id }) => id)
}

/**
 * Makes the letters of exactly these lists public. VALIDATION_FAILED names each list that the project does not have.
 */
export async function setListsWithLetters(tx: Tx, project_id: ProjectId, list_ids: readonly number[]): Promise<void> {
  const chosen = sql`(SELECT value FROM json_each(${jsonText(list_ids)}))`
  const known = await tx.all<{ id: number }>(sql`
    SELECT id FROM lists WHERE project_id = ${project_id} AND id IN ${chosen}`)
  const flaws = list_ids.flatMap((list_id, at) =>
    known.some(({ id }) => id === list_id) ? [] : [{ path: `/list_ids/${at}`, message: 'There is no such list.' }],
  )
  if (flaws.length > 0) throw invalidRequest(flaws)
  await tx.run(sql`
    UPDATE lists SET letters_public = (id IN ${chosen})
    WHERE project_id = ${project_id} AND letters_public <> (id IN ${chosen})`)
}
