import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Admitted } from '../access/caller.ts'
import type { Role } from '../store/tables/accounts.ts'
import type { Reader, Tx } from '../store/open.ts'
import type { Runtime } from '../runtime.ts'

/** Last word of the scope that an operation needs, `newsletter:` standing before it. */
export type ScopeSuffix = 'read' | 'write' | 'send' | 'admin'

/** Least role by scope (spec, Authentication 7); an operation may ask for more. */
const ROLE_OF_SCOPE: Record<ScopeSuffix, Role> = {
  read: 'member',
  write: 'editor',
  send: 'editor',
  admin: 'administrator',
}

/** What an operation knows of its call. */
export interface CallContext extends Runtime, Admitted {
  /** The instant of this request; all that it writes carries it. */
  now: number
  request_id: string
  /** Where the call came from: kept with consent as evidence. */
  address: string
  user_agent: string
}

export interface ReadContext extends CallContext {
  db: Reader
}

export interface MutationContext extends CallContext {
  /** The write transaction: effects and the receipt commit together. */
  tx: Tx
  /** Runs when the transaction has committed (waking a loop); must not fail. */
  afterCommit(effect: () => void): void
}

interface Declaration<Request extends TSchema, Response extends TSchema> {
  /** Path below the newsletter root, e.g. `/contacts/upsert`. */
  path: string
  scope: ScopeSuffix
  /** When it is higher than the scope's own. */
  role?: Role
  summary: string
  /** The request beyond `project_id` and `idempotency_key`. */
  request: Request
  /** What `data` holds. */
  response: Response
  /** Largest body in bytes; 2 MiB when left out. */
  max_body?: number
}

interface ReadDeclaration<Request extends TSchema, Response extends TSchema> extends Declaration<Request, Response> {
  run(input: Static<Request>, context: ReadContext): Promise<Static<Response>>
}

interface MutationDeclaration<Request extends TSchema, Response extends TSchema, Prepared> extends Declaration<
  Request,
  Response
> {
  /** 202 where work is queued; 200 when left out. */
  status?: 200 | 202
  /** Where it depends on what came of it. */
  statusOf?(answer: Static<Response>): 200 | 202
  /** What needs the network or much time happens here, before the transaction; it may not write. */
  prepare?(input: Static<Request>, context: ReadContext): Promise<Prepared>
  run(input: Static<Request>, context: MutationContext, prepared: Prepared): Promise<Static<Response>>
}

interface StreamDeclaration<Request extends TSchema> extends Omit<Declaration<Request, TSchema>, 'response'> {
  media_type: string
  /** Proposed to whoever saves the answer. */
  filename: string
  /** Pieces of the body; each is made when the caller has taken the one before. */
  run(input: Static<Request>, context: ReadContext): Promise<AsyncIterable<Uint8Array>>
}

/** A declared operation, as `run.ts`, the OpenAPI document and the test suite read it. */
export interface Operation {
  path: string
  scope: ScopeSuffix
  role: Role
  summary: string
  request: TSchema
  response: TSchema
  status: 200 | 202
  max_body: number
  act:
    | { kind: 'read'; run(input: unknown, context: ReadContext): Promise<unknown> }
    | {
        kind: 'stream'
        media_type: string
        filename: string
        run(input: unknown, context: ReadContext): Promise<AsyncIterable<Uint8Array>>
      }
    | {
        kind: 'mutation'
        prepare(input: unknown, context: ReadContext): Promise<unknown>
        run(input: unknown, context: MutationContext, prepared: unknown): Promise<unknown>
        statusOf?: (answer: unknown) => 200 | 202
      }
}

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Declares an operation that changes nothing: any role of its scope, no idempotency key. */
export function read<Request extends TSchema, Response extends TSchema>(
  spec: ReadDeclaration<Request, Response>,
): Operation {
  return {
    ...common(spec),
    status: 200,
    act: { kind: 'read', run: (input, context) => spec.run(input as Static<Request>, context) },
  }
}

/** Declares a read whose answer is no envelope but a body of its own, sent piece by piece. */
export function stream<Request extends TSchema>({
  media_type,
  filename,
  run,
  ...spec
}: StreamDeclaration<Request>): Operation {
  return {
    ...common({ ...spec, response: Type.String() }),
    status: 200,
    act: { kind: 'stream', media_type, filename, run: (input, context) => run(input as Static<Request>, context) },
  }
}

/** Declares an operation that changes something: it needs an idempotency key and runs in one transaction. */
export function mutation<Request extends TSchema, Response extends TSchema, Prepared = undefined>(
  spec: MutationDeclaration<Request, Response, Prepared>,
): Operation {
  return {
    ...common(spec),
    status: spec.status ?? 200,
    act: {
      kind: 'mutation',
      prepare: async (input, context) => spec.prepare?.(input as Static<Request>, context),
      run: (input, context, prepared) => spec.run(input as Static<Request>, context, prepared as Prepared),
      ...(spec.statusOf ? { statusOf: (answer) => spec.statusOf!(answer as Static<Response>) } : {}),
    },
  }
}

function common(spec: Declaration<TSchema, TSchema>) {
  return {
    path: spec.path,
    scope: spec.scope,
    role: spec.role ?? ROLE_OF_SCOPE[spec.scope],
    summary: spec.summary,
    request: spec.request,
    response: spec.response,
    max_body: spec.max_body ?? MAX_BODY_BYTES,
  }
}
