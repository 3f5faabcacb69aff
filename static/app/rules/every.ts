import { useMemo } from 'preact/hooks'
import { type ReadName, read, type RequestOf, type ResponseOf } from '../api/calls.ts'
import { callKey } from '../../../src/shared/app-document.ts'
import { type Query, useQuery, useRead } from '../api/query.ts'
import { PAGE } from './page-size.ts'

/** Lists that can be shown whole, because a limit of the project keeps them below a few thousand entries. */
type ShortList = Extract<
  ReadName,
  'lists/list' | 'tags/list' | 'segments/list' | 'templates/list' | 'custom-fields/list' | 'connections/list'
>

/** Every item of a list. The first page may be delivered with the document; the others load one after another. */
export function useEvery<Name extends ShortList>(
  operation: Name,
  body: RequestOf<Name>,
): Query<ResponseOf<Name>['items']> {
  type Items = ResponseOf<Name>['items']
  const asked = { ...body, limit: PAGE }
  const first = useRead(operation, asked)
  const cursor = first.data?.next_cursor ?? null
  const rest = useQuery<Items>(
    callKey(operation, { ...asked, after: cursor }),
    (signal) => readFrom(operation, body, { cursor, signal }),
    { enabled: cursor !== null },
  )
  const data = useMemo(() => {
    if (!first.data || (cursor !== null && rest.data === undefined)) return undefined
    return [...first.data.items, ...(rest.data ?? [])] as Items
  }, [first.data, cursor, rest.data])
  return {
    ...first,
    data,
    error: first.error ?? rest.error,
    busy: first.busy || rest.busy,
  }
}

/** Every item of a list, for code that is no component. */
export function readEvery<Name extends ShortList>(
  operation: Name,
  body: RequestOf<Name>,
): Promise<ResponseOf<Name>['items']> {
  return readFrom(operation, body, { cursor: undefined })
}

/** The items from a place of the list on. */
async function readFrom<Name extends ShortList>(
  operation: Name,
  body: RequestOf<Name>,
  { cursor, signal }: { cursor: string | null | undefined; signal?: AbortSignal },
): Promise<ResponseOf<Name>['items']> {
  const items: unknown[] = []
  for (let next = cursor; next !== null;) {
    const page = await read(
      operation,
      { ...body, limit: PAGE, ...(next === undefined ? {} : { cursor: next }) },
      signal,
    )
    items.push(...page.items)
    next = page.next_cursor
  }
  return items as ResponseOf<Name>['items']
}
