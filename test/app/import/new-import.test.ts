import { expect, test } from 'bun:test'
import { Refusal, useTab, chooseFiles } from '../../support/tab.ts'
import NewImport from '../../../static/app/import/new-import.tsx'
import { MAX_BYTES, SMALL_BYTES } from '../../../static/app/import/upload.ts'

const tab = useTab()
const open = () => tab.open(NewImport, '/imports/new')
const UPLOAD = 'POST /project/imports/upload'

/** A file that says how large it is. */
function fileOf(size: number): File {
  const file = new File(['email\na@x.example'], 'people.csv')
  Object.defineProperty(file, 'size', { value: size })
  return file
}
async function choose(file: File) {
  const input = tab.find('input[type=file]')
  chooseFiles(input, [file])
  await tab.settled()
  await new Promise(setImmediate)
  await tab.settled()
}

test('Pasted rows become an import without a name, once there are any.', async () => {
  tab.answers['imports/create'] = { import: { id: 7 } }
  await open()
  await tab.type('Or paste rows', ' ')
  expect(tab.button('Go on with these rows').getAttribute('aria-disabled')).toBe('true')
  await tab.type('Or paste rows', 'email\na@x.example')
  await tab.press('Go on with these rows')
  expect(tab.sent('imports/create')).toMatchObject([{ csv: 'email\na@x.example', filename: '' }])
  expect(tab.address).toBe('/imports/7?step=columns')
})

test('A file goes as its bytes, whatever its encoding, and none that is too large.', async () => {
  const bodies: Blob[] = []
  tab.answers[UPLOAD] = (body: Blob) => (
    bodies.push(body),
    { import: { id: 8 }, received: SMALL_BYTES + 1 + body.size }
  )
  await open()
  const western = new Uint8Array([...Buffer.from('email,name\na@x.example,J'), 0xfc, ...Buffer.from('rgen')])
  await choose(new File([western], 'people.csv'))
  expect([await bodies[0]!.bytes(), tab.sent('imports/create')]).toEqual([western, []])
  expect(tab.address).toBe('/imports/8?step=columns')
  // The back button leads to the list, not to the form.
  expect(tab.pushed).toEqual([])
  await open()
  await choose(fileOf(MAX_BYTES + 1))
  expect(tab.text('.callout')).toContain('people.csv has 1 GB; this page takes 1 GB.')
  expect(tab.text('.callout')).toContain('masthead contacts import PROJECT people.csv')
  expect(tab.calls).toHaveLength(1)
  await choose(fileOf(10))
  expect(tab.body.querySelector('.callout')).toBeNull()
})

test('While a file is uploaded, its bytes are counted.', async () => {
  const answer = Promise.withResolvers()
  const size = 9 * 1024 * 1024
  let call = 0
  tab.answers[UPLOAD] = () => (++call === 1 ? { import: { id: 8 }, received: size / 9 } : answer.promise)
  await open()
  await choose(fileOf(size))
  expect(tab.text('.progress')).toBe('Uploading people.csv1 MB of 9 MB')
  answer.resolve(new Refusal(413, 'TOO_LARGE', undefined, 'It is too long.'))
  await tab.settled()
  expect(tab.text()).toContain('The file could not be read.It is too long.')
  expect(tab.body.querySelector('.progress')).toBeNull()
})
