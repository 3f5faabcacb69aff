import { expect, test } from 'bun:test'
import { refusedRows } from '../../../src/newsletter/imports/refused-file.ts'
import { storeRefusals } from '../../../src/newsletter/imports/refusals.ts'
import { stageImport } from '../../../src/newsletter/imports/states.ts'
import { dropText, storeText } from '../../../src/newsletter/imports/storage.ts'
import { erasures } from '../../../src/store/tables/audience.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('Refused rows are whole while the file is stored, and afterwards have their reasons.', async () => {
  const { db } = await sharedStore()
  const project_id = await newProject()
  const columns = ['Mail', ''].map((header, index) => ({ index, header, samples: [], suggested_field: null }))
  const file = { project_id, filename: '', size_bytes: 9, delimiter: ';' as const, columns, now: NOW }
  const row = await write((tx) => stageImport(tx, file))
  const filler = Array.from({ length: 9_000 }, (_, at) => `p${at}@example.com;Town\r\n`).join('')
  const text = `Mail;\r\nno address;Köln\r\n${filler}gone@example.com;"Bergen; Norway"\r\n`
  await write((tx) => storeText(tx, row.id, Buffer.from(text)))
  await write((tx) =>
    storeRefusals(tx, row.id, '[[2,"email","email_invalid","No.","no address"],[2,null,"x","Twice.",null]]'),
  )
  await write((tx) => storeRefusals(tx, row.id, '[[9003,null,"x","Late.",null]]'))
  const forgotten = { contact_id: 900_000_000 + row.id, project_id, email_key: 'gone@example.com', deleted_at: NOW }
  await write((tx) => tx.insert(erasures).values(forgotten))

  const download = async () => Buffer.concat(await Array.fromAsync(refusedRows(db, row))).toString()
  expect(await download()).toBe(
    '\uFEFFrow,column,value,reason,Mail,column 2\r\n' +
      '2,email,no address,No.,no address,Köln\r\n2,,,Twice.,no address,Köln\r\n9003,,,Late.,,"Bergen; Norway"\r\n',
  )
  await write((tx) => dropText(tx, row.id))
  expect(await download()).toStartWith('\uFEFFrow,column,value,reason\r\n2,email,no address,No.\r\n')
})
