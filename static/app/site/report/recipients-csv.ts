import { read, type RequestOf } from '../../api/calls.ts'
import { csvFile } from '../../ui/csv.ts'

type Asked = Omit<RequestOf<'campaigns/recipients'>, 'after_id' | 'limit'>

const PAGE = 200

/** All recipients as CSV, read page by page. `onProgress` gets how many there are so far. */
export async function recipientsCsv(asked: Asked, onProgress: (read: number) => void): Promise<Blob> {
  const rows: string[][] = []
  for (let after_id: number | undefined; ;) {
    const { items } = await read('campaigns/recipients', {
      ...asked,
      limit: PAGE,
      ...(after_id === undefined ? {} : { after_id }),
    })
    for (const { email, status, sent_at, last_error } of items)
      rows.push([email ?? '', status, sent_at ?? '', last_error ?? ''])
    onProgress(rows.length)
    if (items.length < PAGE) break
    after_id = items.at(-1)!.id
  }
  return csvFile([['email', 'status', 'sent_at', 'relay'], ...rows])
}
