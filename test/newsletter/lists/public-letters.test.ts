import { expect, test } from 'bun:test'
import type { ProjectId } from '../../../src/ids.ts'
import { listsWithLetters, setListsWithLetters } from '../../../src/newsletter/lists/public-letters.ts'
import { newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const set = (project: ProjectId, list_ids: number[]) => write((tx) => setListsWithLetters(tx, project, list_ids))
const read = async (project: ProjectId) => listsWithLetters((await sharedStore()).db, project)

test('Exactly the chosen lists have public letters, archived ones too, and those of other projects stay.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [a, b] = [await newList(project), await newList(project)]
  const archived = await newList(project, { archived_at: NOW })
  const foreign = await newList(other)
  await set(other, [foreign])
  expect(await read(project)).toEqual([])
  await set(project, [archived, a])
  expect(await read(project)).toEqual([a, archived])
  await set(project, [b])
  expect([await read(project), await read(other)]).toEqual([[b], [foreign]])
  await set(project, [])
  expect([await read(project), await read(other)]).toEqual([[], [foreign]])
})

test('Each list that the project does not have is named, and nothing changes.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [own, foreign] = [await newList(project), await newList(other)]
  await expect(set(project, [own, foreign, 999_999_999])).rejects.toMatchObject({
    details: [{ path: '/list_ids/1' }, { path: '/list_ids/2' }],
  })
  expect(await read(project)).toEqual([])
})
