import type { Operations } from '../../api/operations.d.ts'

type Request = Operations['campaigns/list']['request']

/** The request of the list of campaigns at an address. */
export function campaignsRequest({ status, search, cursor }: Record<string, string>): Request {
  return {
    order: 'newest',
    limit: 50,
    include: ['stats'],
    ...(status === undefined ? {} : { status: status as Request['status'] }),
    ...(search === undefined ? {} : { search }),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
