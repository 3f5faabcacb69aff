import { expect, test } from 'bun:test'
import { csvFile } from '../../../static/app/ui/csv.ts'

test('A CSV file quotes each cell, doubles quotes, and disarms what a spreadsheet would run.', async () => {
  const file = csvFile([
    ['a', 'b, c', 'say "hi"', ''],
    ['=1+1', '+47', '-5', '@cmd', '\tx', '\rx', ' =1', 'a=1'],
  ])
  expect(file.type).toStartWith('text/csv')
  expect((await file.text()).split('\r\n')).toEqual([
    '"a","b, c","say ""hi""",""',
    `"'=1+1","'+47","'-5","'@cmd","'\tx","'\rx"," =1","a=1"`,
  ])
})
