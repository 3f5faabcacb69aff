import { send } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'

/** The names of the first hundred apps, by id. */
export function useAppNames(): ReadonlyMap<string, string> {
  const { data } = useQuery('/user/operator/apps/list names', (signal) =>
    send('POST /user/operator/apps/list', { limit: 100 }, { signal }),
  )
  return new Map(data?.items.map(({ id, displayName }) => [id, displayName]))
}
