import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { auditRule, type DeclaredChange } from '../audit/call.ts'
import type { Admitted } from '../access/caller.ts'
import type { Role } from '../shared/roles.ts'
import type { Reader, Tx } from '../store/open.ts'
import type { ErrorCode } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { impliedErrors } from './operation-errors.ts'
import type { Callable, CallSet } from './pipeline.ts'

/** The suffix of an operation's scope, after `newsletter:`. */
export type ScopeSuffix = 'read' | 'write' | 'send' | 'admin'

/** The least role of each scope (docs/api/oauth.md#scopes); an operation may require a higher one. */
const ROLE_OF_SCOPE: Record<ScopeSuffix, Role> = {
  read: 'member',
  write: 'editor',
  send: 'editor',
  admin: 'administrator',
}

/** The context of one call of an operation: the service, the admitted caller and the request. */
export interface CallContext extends Runtime, Admitted {
  /** The time of this request, used for everything it writes. */
  now: number
  request_id: string
  /** The client address, stored as consent evidence. */
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
  /** The least role, when it is higher than the scope's. */
  role?: Role
  summary: string
  /** The request beyond `project_id` and `idempotency_key`. */
  request: Request
  /** The schema of `data` in the response. */
  response: Response
  /** Errors of the operation itself, beyond those of the pipeline and NOT_FOUND for its ids. */
  errors?: readonly ErrorCode[]
  /** Largest body in bytes; default 2 MiB. */
  max_body?: number
}

interface Audited<Request extends TSchema, Response extends TSchema> {
  /** The audit log row of the operation; see docs/api/audit.md#rows. */
  audit: DeclaredChange<Static<Request>, Static<Response>>
}

interface Costly {
  /** Units of the read quota that a call takes, by its body before validation; default 1. */
  cost?: number | ((body: Readonly<Record<string, unknown>>) => number)
}

interface ReadDeclaration<Request extends TSchema, Response extends TSchema>
  extends Declaration<Request, Response>, Costly {
  run(input: Static<Request>, context: ReadContext): Promise<Static<Response>>
}

interface MutationDeclaration<Request extends TSchema, Response extends TSchema, Prepared>
  extends Declaration<Request, Response>, Audited<Request, Response> {
  /** 202 when work is queued; default 200. */
  status?: 200 | 202
  /** The status, when it depends on the result. */
  statusOf?(answer: Static<Response>): 200 | 202
  /** Runs before the transaction, for anything that needs the network or much time. It must not write. */
  prepare?(input: Static<Request>, context: ReadContext): Promise<Prepared>
  run(input: Static<Request>, context: MutationContext, prepared: Prepared): Promise<Static<Response>>
  /** Only without `prepare`. */
  set?: CallSet<Static<Request>, CallContext, MutationContext, Static<Response>>
}

interface StreamDeclaration<Request extends TSchema>
  extends Omit<Declaration<Request, TSchema>, 'response'>, Costly, Audited<Request, TObject<Record<never, never>>> {
  media_type: string
  /** The file name offered for a download. */
  filename: string
  /** The body in pieces, each made when the client has read the one before. */
  run(input: Static<Request>, context: ReadContext): Promise<AsyncIterable<Uint8Array>>
}

/** A declared operation, as `run.ts`, the OpenAPI document and the test suite read it. */
export interface Operation extends Callable {
  scope: ScopeSuffix
  role: Role
  request: TSchema
  response: TSchema
  status: 200 | 202
  /** Always true: a read changes nothing, and a mutation is repeated under its idempotency key. */
  repeatable: true
  /** Units of quota that a call takes. */
  cost(body: Readonly<Record<string, unknown>>): number
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
        /** Whether it prepares something outside the transaction, which a crash may leave half done. */
        has_prepare: boolean
        prepare(input: unknown, context: ReadContext): Promise<unknown>
        run(input: unknown, context: MutationContext, prepared: unknown): Promise<unknown>
        set?: CallSet<unknown, CallContext, MutationContext>
        statusOf?: (answer: unknown) => 200 | 202
      }
}

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** Declares an operation that changes nothing and needs no idempotency key. */
export function read<Request extends TSchema, Response extends TSchema>(
  spec: ReadDeclaration<Request, Response>,
): Operation {
  return declared(common('read', spec), {
    status: 200,
    act: { kind: 'read', run: (input, context) => spec.run(input as Static<Request>, context) },
  })
}

/** Declares a read that streams a body of its own media type instead of an envelope. */
export function stream<Request extends TSchema>({
  media_type,
  filename,
  run,
  ...spec
}: StreamDeclaration<Request>): Operation {
  return declared(common('stream', { ...spec, response: Type.String() }), {
    status: 200,
    act: { kind: 'stream', media_type, filename, run: (input, context) => run(input as Static<Request>, context) },
  })
}

/** Declares an operation that changes something: it needs an idempotency key and runs in one transaction. */
export function mutation<Request extends TSchema, Response extends TSchema, Prepared = undefined>(
  spec: MutationDeclaration<Request, Response, Prepared>,
): Operation {
  return declared(common('mutation', spec), {
    status: spec.status ?? 200,
    act: {
      kind: 'mutation',
      has_prepare: spec.prepare !== undefined,
      prepare: async (input, context) => spec.prepare?.(input as Static<Request>, context),
      run: (input, context, prepared) => spec.run(input as Static<Request>, context, prepared as Prepared),
      ...(spec.set ? { set: spec.set as CallSet<unknown, CallContext, MutationContext> } : {}),
      ...(spec.statusOf ? { statusOf: (answer) => spec.statusOf!(answer as Static<Response>) } : {}),
    },
  })
}

/** Copies nothing out of `shared`, which would find the errors of each operation at every start. */
function declared(shared: ReturnType<typeof common>, own: Pick<Operation, 'status' | 'act'>): Operation {
  return Object.assign(shared, own)
}

function common(
  kind: Operation['act']['kind'],
  spec: Declaration<TSchema, TSchema> & Costly & { audit?: DeclaredChange },
) {
  const { cost = 1, role = ROLE_OF_SCOPE[spec.scope], request } = spec
  return {
    path: spec.path,
    scope: spec.scope,
    role,
    summary: spec.summary,
    request,
    response: spec.response,
    /** Found when documents ask for it, because it reads the whole request. */
    get errors(): ReadonlySet<ErrorCode> {
      return new Set([...(spec.errors ?? []), ...impliedErrors({ kind, role, request })])
    },
    max_body: spec.max_body ?? MAX_BODY_BYTES,
    repeatable: true as const,
    audit: auditRule(spec.audit),
    cost: typeof cost === 'number' ? () => cost : cost,
  }
}
