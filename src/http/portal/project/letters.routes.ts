import { Type } from '@sinclair/typebox'
import type { ProjectId } from '../../../ids.ts'
import { listsWithLetters, setListsWithLetters } from '../../../newsletter/lists/public-letters.ts'
import { getProject } from '../../../projects/projects.ts'
import { Id, obj } from '../../../schema.ts'
import { LETTERS_PATH, siteAddress } from '../../../sites/addresses.ts'
import type { Reader } from '../../../store/open.ts'
import { route } from '../../core/route.ts'

const list_ids = Type.Array(Id, { maxItems: 1000, uniqueItems: true, description: 'Their sent letters are public.' })
const LetterSettings = obj({ list_ids, url: Type.String({ description: 'Where the letters are.' }) })

/** `/project/letters/settings/…` (docs/api/sites.md#sent-letters). */
export const letterRoutes = [
  route({
    method: 'POST',
    path: '/project/letters/settings/get',
    summary: 'The lists whose sent letters are public, and where these are.',
    auth: 'session',
    role: 'member',
    response: LetterSettings,
    read: (_, context) => settingsOf(context, context.db),
  }),

  route({
    method: 'POST',
    path: '/project/letters/settings/update',
    summary: 'Chooses all lists whose sent letters are public. Those of the others are not, from the next request.',
    auth: 'session',
    role: 'editor',
    audit: { target: 'project', changes: true },
    body: obj({ list_ids }),
    response: LetterSettings,
    async write({ list_ids: chosen }, context) {
      await setListsWithLetters(context.tx, context.project_id, chosen)
      return settingsOf(context, context.tx)
    },
  }),
]

async function settingsOf({ base_url, project_id }: { base_url: string; project_id: ProjectId }, db: Reader) {
  const project = await getProject(db, project_id)
  return {
    list_ids: await listsWithLetters(db, project_id),
    url: `${siteAddress(project, base_url)}${LETTERS_PATH}/`,
  }
}
