import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import { uploadParts } from '../../../static/app/import/upload.ts'

const tab = useTab()
const PART = 4 * 1024 * 1024
const UPLOAD = 'POST /project/imports/upload'

test('A file goes part by part, each after what the service has, to the import that the first one began.', async () => {
  const file = new File([new Uint8Array(2 * PART + 3)], 'people.csv')
  const received = [PART, PART + 10, 2 * PART + 3]
  tab.answers[UPLOAD] = () => ({ import: { id: 7 }, received: received[tab.calls.length - 1] })
  const told: number[] = []
  expect(await uploadParts(file, (bytes) => told.push(bytes))).toBe(7)
  expect(told).toEqual(received)
  expect(tab.calls.map(({ url }) => url.split('?')[1])).toEqual([
    'project_id=prj_harbour&filename=people.csv',
    'project_id=prj_harbour&import_id=7',
    'project_id=prj_harbour&import_id=7',
  ])
  expect(tab.calls.map(({ headers }) => headers.get('content-range'))).toEqual([
    `bytes 0-${PART - 1}/${file.size}`,
    `bytes ${PART}-${2 * PART - 1}/${file.size}`,
    `bytes ${PART + 10}-${2 * PART + 2}/${file.size}`,
  ])
  expect(tab.calls.map(({ body }) => body.size)).toEqual([PART, PART, PART - 7])
})

test('A part that is refused, or has no answer, is not sent again.', async () => {
  tab.answers[UPLOAD] = new Refusal(503, 'UNAVAILABLE')
  await expect(uploadParts(new File(['a'], 'a.csv'), () => {})).rejects.toMatchObject({ code: 'NO_ANSWER' })
  expect(tab.calls).toHaveLength(1)
  await expect(uploadParts(new File([], 'a.csv'), () => {})).rejects.toThrow('The file is empty.')
})
