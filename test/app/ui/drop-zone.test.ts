import { expect, test } from 'bun:test'
import { h } from 'preact'
import { chooseFiles, send, useTab } from '../../support/tab.ts'
import { DropZone } from '../../../static/app/ui/drop-zone.tsx'

const tab = useTab()

async function open(): Promise<string[][]> {
  const taken: string[][] = []
  const onFiles = (files: File[]) => void taken.push(files.map(({ name }) => name))
  await tab.draw(h(DropZone, { label: 'Choose pictures', hint: 'or drop them', accept: 'image/png', onFiles }))
  return taken
}
const drag = (type: string, files: File[] = []) =>
  tab.act(() => void send(tab.find('label'), type, { dataTransfer: { files } }))
const isOver = () => tab.find('label').hasAttribute('data-over')

test('Files that are dropped are taken, and the area stands out while they are over it.', async () => {
  const taken = await open()
  await drag('dragover')
  expect(isOver()).toBe(true)
  await drag('dragleave')
  expect(isOver()).toBe(false)
  await drag('dragover')
  await drag('drop', [new File([], 'quay.png'), new File([], 'pier.png')])
  expect([isOver(), taken]).toEqual([false, [['quay.png', 'pier.png']]])
  await drag('drop')
  expect(taken).toHaveLength(1)
})

test('The browser does not open a file that is dropped or held over the area.', async () => {
  await open()
  for (const type of ['dragover', 'drop']) expect(send(tab.find('label'), type, { dataTransfer: null })).toBe(false)
  await tab.settled()
})

test('The same file can be chosen twice.', async () => {
  const taken = await open()
  const field = tab.find<HTMLInputElement>('input')
  await tab.act(() => chooseFiles(field, [new File([], 'quay.png')]))
  await tab.act(() => chooseFiles(field, [new File([], 'quay.png')]))
  expect([taken, field.value]).toEqual([[['quay.png'], ['quay.png']], ''])
})
