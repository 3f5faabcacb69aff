import { expect, test } from 'bun:test'
import { csvFile } from '../../../static/app/ui/csv.ts'

test('A CSV file of the browser is written like the exports of the server.', async () => {
  const file = csvFile([
    ['a', 'b, c', 'say "hi"', ''],
    ['=1+1', '+47', ' =1', 'a=1'],
  ])
  expect(file.type).toStartWith('text/csv')
  expect(await file.text()).toBe(`a,"b, c","say ""hi""",\r\n'=1+1,+47,' =1,a=1\r\n`)
})
