import { AppError } from '../../../errors.ts'
import { newId } from '../../../ids.ts'
import { operations } from '../../../newsletter/operations.ts'
import { runOperation } from '../../../operation/run.ts'
import type { Runtime } from '../../../runtime.ts'
import { stillValid } from '../../core/serve.ts'
import type { PageContext } from './portal.ts'

/** An operation that a page runs itself, as the signed-in user would. */
interface OwnCall {
  /** Such as `settings/update`. */
  operation: string
  body: object
  /** The public id. */
  project_id: string
}

/** Runs an operation in the service's own process, through the same checks as a call from outside. Answers its data. */
export async function runForPage<Data = unknown>(
  runtime: Runtime,
  context: PageContext,
  { operation, body, project_id }: OwnCall,
): Promise<Data> {
  const { caller, limiter, request_id, address, user_agent } = context
  const declared = operations.find(({ path }) => path === `/${operation}`)
  if (!declared) throw new AppError('NOT_FOUND', `There is no operation ${operation}.`)
  const answer = await runOperation(runtime, limiter, declared, {
    caller,
    callerIn: (tx) => stillValid(tx, caller, context),
    body: { value: { ...body, project_id } },
    idempotency_header: declared.act.kind === 'read' ? null : newId('req'),
    request_id,
    address,
    user_agent,
    // The page has its turn already.
    inTurn: (work) => work(),
    headers: {},
  })
  if ('pieces' in answer) throw new Error(`${operation} answers with a file.`)
  return (JSON.parse(answer.body) as { data: Data }).data
}
