import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { OAuthCaller, SessionCaller } from '../../access/caller.ts'
import { auditRule, type DeclaredChange, type DeclaredRows } from '../../audit/call.ts'
import type { ErrorCode } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import type { KnownClient } from '../../oauth/clients.ts'
import type { Callable } from '../../operation/pipeline.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import type { Runtime } from '../../runtime.ts'
import { obj } from '../../schema.ts'
import type { Reader, Store, Tx } from '../../store/open.ts'
import type { Role } from '../../shared/roles.ts'
import type { Exchange, Refuse } from './exchange.ts'
import { formRefusal, platformRefusal } from './exchange.ts'
import { impliedErrors } from './route-errors.ts'
import { pathParameters, requireDistinctNames, withProject } from './route-input.ts'
import type { Success } from './schemas.ts'

/** `ALL`: the handler answers every method itself. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'ALL'

/**
 * Who may call a route.
 * - `public`: anyone. `own_pages` refuses browsers that come from other sites.
 * - `session`: a signed-in user. Requests that change something must come from the service's own pages.
 * - `oauth`: an app with an access token and, where one is declared, a scope.
 * - `api`: the entry points in src/http/api/operations.ts authenticate.
 * - `client`: an OAuth client with its own credentials, by form or JSON (src/http/core/client-endpoint.ts).
 * - `metrics`: this machine, or the configured bearer token.
 */
type Auth = 'public' | 'session' | 'oauth' | 'api' | 'client' | 'metrics'

/** The kind of a response body that is not JSON with a schema. */
type OtherResponse = 'page' | 'file' | 'text' | 'redirect' | 'newsletter'

interface Base extends Omit<Runtime, 'store'>, Exchange {
  limiter: RateLimiter
  /** Headers of a successful JSON response. */
  headers: Record<string, string>
  /** Its Set-Cookie headers. */
  cookies: string[]
}

type Caller<A extends Auth> = A extends 'session' ? SessionCaller : A extends 'oauth' ? OAuthCaller : undefined
/** The admitted caller, and with a declared role the project and the caller's role in it. */
type Admission<A extends Auth, R> = { caller: Caller<A> } & ([R] extends [Role]
  ? { project_id: ProjectId; project_public_id: string; role: Role }
  : unknown)

/** A handler that reads. The type of its store has no `write`. */
export type ReadContext<A extends Auth = Auth, R = undefined> = Base &
  Admission<A, R> & { db: Reader; store: Omit<Store, 'write'> }

/** A handler inside the write transaction. Session, membership and role were read again in it. */
export type WriteContext<A extends Auth = Auth, R = undefined> = Base &
  Admission<A, R> & {
    tx: Tx
    /** Runs after the commit (such as waking a loop). It must not fail. */
    afterCommit(effect: () => void): void
  }

/** A handler of a public route, with the whole service: there is no caller to admit again. */
export type PublicContext = Base & { store: Store; db: Reader }

/** The client that calls an endpoint, and all parameters that it sent: repeated and unlisted ones, too. */
export interface ClientRequest {
  client: KnownClient
  sent: URLSearchParams
}

export type ClientContext = PublicContext & ClientRequest

/** A handler that builds its own response. */
export type RespondContext<A extends Auth, R> = A extends 'session' | 'oauth'
  ? ReadContext<A, R> & OwnWrite
  : PublicContext

/** May write before, or instead of, the route's own transaction. */
export interface OwnWrite {
  /** Runs `work` in a transaction that begins with the same admission: session, and with a role the membership. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
/** Path parameters are strings unless `params` declares them. */
type FromPath<Path extends string, P> = { [Name in Exclude<Names<Path>, keyof P>]: string }
type Empty = TObject<Record<never, never>>
/** Path parameters, query and body in one object; their names are distinct. */
type Input<Path extends string, P extends TObject, Q extends TObject, B extends TObject> = FromPath<Path, Static<P>> &
  Static<P> &
  Static<Q> &
  Static<B>

interface Declaration<
  Path extends string,
  A extends Auth,
  R extends Role | undefined,
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  S extends TSchema | OtherResponse,
> {
  method: Method | readonly Method[]
  path: Path
  summary: string
  auth: A
  /** `public` only: refuses requests of pages of other sites. */
  own_pages?: A extends 'public' ? true : never
  /** `session` only: the user signed in or confirmed within 10 minutes, else CONFIRMATION_REQUIRED. */
  confirmed?: A extends 'session' ? true : never
  /** Units of the rate limit that a call takes (docs/api/limits.md#rate-limits); 1 unless said otherwise. */
  cost?: A extends 'session' ? number : never
  /** `session` only: the user administers the service, else FORBIDDEN. */
  operator?: A extends 'session' ? true : never
  /** `oauth` only. */
  scope?: A extends 'oauth' ? string : never
  /** Least role in the project that `project` names. */
  role?: R
  /** Where the request names the project: its body unless said otherwise. `route` adds `project_id` to the schema. */
  project?: R extends Role ? 'body' | 'query' | Locate<Input<Path, P, Q, B>, A> : never
  params?: P
  /** The error of an ill-formed path parameter; NOT_FOUND unless said otherwise. */
  params_error?: 'NOT_FOUND' | 'VALIDATION_FAILED'
  /** The last path parameter takes the rest of the path, so that an ill-formed one is not an unknown path. */
  catch_all?: true
  query?: Q
  /** Without it the body is not read. It may be left out where it has no required property. */
  body?: B
  /** Media types of a body that the handler reads by itself, in place of `body`. */
  takes?: readonly string[]
  /** An HTML form may send the body beside JSON. */
  forms?: 'also'
  /** Largest body in bytes; 1 MiB unless said otherwise. */
  max_body?: number
  response: S
  /** The media type of a `file` or `text`; text/plain unless said otherwise. */
  media_type?: string
  /** Status of a success; 200 unless said otherwise. */
  status?: number
  /** Answers of a handler that builds its response, by status, which are neither a success nor an error. */
  also?: Readonly<Record<number, TSchema>>
  /** Errors of the handler itself, beyond those that authentication and input checks give. */
  errors?: readonly ErrorCode[]
  /** Renders errors; the platform's JSON unless said otherwise. */
  refuse?: Refuse
  /** Renders the 405 of other methods; `refuse` unless said, for pages the platform's JSON. */
  refuse_method?: Refuse
  /** Also served by processes that run only the loops. */
  every_process?: true
  /**
   * Whether a client may send a call again that had no answer, because a second one changes nothing more. A handler
   * that reads and GET are repeatable unless said otherwise.
   */
  repeatable?: boolean
}

/** Finds the public id of the project that a request is about. */
type Locate<I, A extends Auth> = (input: I, context: { db: Reader; caller: Caller<A> }) => Promise<string>

/** A handler whose route answers `Success` may return nothing. */
type Answer<S> = S extends TSchema ? Static<S> | (typeof Success extends S ? void : never) : never

/** The audit row of a call (docs/api/audit.md#rows). A change by a known caller must declare its target. */
interface Recorded<I, S> {
  audit?: Partial<DeclaredChange<I, Result<S>>> & DeclaredRows
}
interface RecordedChange<I, S> {
  audit: DeclaredChange<I, Result<S>> & DeclaredRows
}
type Result<S> = S extends TSchema ? Static<S> : never

interface Reads<I, A extends Auth, R, S> extends Recorded<I, S> {
  /** Reads and answers. */
  read(input: I, context: ReadContext<A, R>): Promise<Answer<S>> | Answer<S>
}
interface Writes<I, A extends Auth, R, S, Prepared> extends RecordedChange<I, S> {
  /** Network calls and hashing, before the transaction. `write` is for what stays when the call is refused. */
  prepare?(input: I, context: ReadContext<A, R> & OwnWrite): Promise<Prepared>
  /** Runs in the write transaction; on a libSQL server it may run more than once. */
  write(input: I, context: WriteContext<A, R>, prepared: Prepared): Promise<Answer<S>>
}
interface Runs<I, A extends Auth, S> extends Recorded<I, S> {
  /** Public routes and those of clients: reads, hashes and opens transactions itself. */
  run(input: I, context: A extends 'client' ? ClientContext : PublicContext): Promise<Answer<S>> | Answer<S>
}
interface Responds<I, A extends Auth, R> extends Recorded<I, unknown> {
  /** Reads the request and builds the response itself; schemas only describe it. */
  respond(context: RespondContext<A, R>): Promise<Response> | Response
}

type None<K extends string> = { [Name in K]?: never }
type Handlers<I, A extends Auth, R, S, Prepared> =
  | (Reads<I, A, R, S> & None<'prepare' | 'write' | 'run' | 'respond'>)
  | (Writes<I, A, R, S, Prepared> & None<'read' | 'run' | 'respond'>)
  | (A extends 'public' | 'client' ? Runs<I, A, S> & None<'read' | 'prepare' | 'write' | 'respond'> : never)
  | (A extends 'client' ? never : Responds<I, A, R> & None<'read' | 'prepare' | 'write' | 'run'>)

/** A declared route, as the registrar, the OpenAPI document and the tests read it. */
export interface Route extends Callable {
  methods: readonly Method[]
  auth: Auth
  own_pages: boolean
  confirmed: boolean
  cost: number
  operator: boolean
  scope: string | null
  project: 'body' | 'query' | Locate<Record<string, unknown>, Auth> | null
  params: TObject
  params_error: 'NOT_FOUND' | 'VALIDATION_FAILED'
  catch_all: boolean
  query: TObject
  /** With `project_id` where the body names the project. */
  body: TObject | null
  takes: readonly string[]
  forms: 'also' | null
  response: TSchema | OtherResponse
  media_type: string
  also: Readonly<Record<number, TSchema>> | null
  refuse: Refuse
  refuse_method: Refuse
  every_process: boolean
  act: Act
}

type Act =
  | { kind: 'read'; run(input: unknown, context: ReadContext): Promise<unknown> }
  | {
      kind: 'write'
      prepare(input: unknown, context: ReadContext & OwnWrite): Promise<unknown>
      run(input: unknown, context: WriteContext, prepared: unknown): Promise<unknown>
    }
  | { kind: 'run'; run(input: unknown, context: PublicContext): Promise<unknown> }
  | { kind: 'respond'; run(context: RespondContext<Auth, undefined>): Promise<Response> }

const MAX_BODY_BYTES = 1024 * 1024

/** Declares one HTTP route. See docs/architecture.md for the pipeline that every call passes. */
export function route<
  const Path extends string,
  const A extends Auth,
  S extends TSchema | OtherResponse,
  const R extends Role | undefined = undefined,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TObject = Empty,
  Prepared = undefined,
>(spec: Declaration<Path, A, R, P, Q, B, S> & Handlers<Input<Path, P, Q, B>, A, R, S, Prepared>): Route {
  const project = spec.role === undefined ? null : ((spec.project ?? 'body') as Route['project'])
  const body = withProject(project === 'body', spec.body ?? (project === 'body' ? obj({}) : undefined))
  const methods = [spec.method].flat() as Method[]
  const declared = {
    methods,
    path: spec.path,
    summary: spec.summary,
    auth: spec.auth,
    own_pages: spec.own_pages ?? false,
    confirmed: spec.confirmed ?? false,
    cost: spec.cost ?? 1,
    operator: spec.operator ?? false,
    scope: spec.scope ?? null,
    role: spec.role ?? null,
    project,
    params: pathParameters(spec.path, spec.params),
    params_error: spec.params_error ?? 'NOT_FOUND',
    catch_all: spec.catch_all ?? false,
    // Undeclared query parameters are ignored unless the route's own schema is strict.
    query: withProject(project === 'query', spec.query ?? Type.Object({}))!,
    body: body ?? null,
    takes: spec.takes ?? [],
    forms: spec.forms ?? null,
    max_body: spec.max_body ?? MAX_BODY_BYTES,
    response: spec.response,
    media_type: spec.media_type ?? 'text/plain',
    also: spec.also ?? null,
    status: spec.status ?? (spec.response === 'redirect' ? 302 : 200),
    refuse: spec.refuse ?? (spec.auth === 'session' || spec.own_pages ? formRefusal : platformRefusal),
    refuse_method: spec.refuse_method ?? (spec.response === 'page' ? undefined : spec.refuse) ?? platformRefusal,
    every_process: spec.every_process ?? false,
    repeatable: spec.repeatable ?? (spec.read !== undefined || methods.every((method) => method === 'GET')),
    audit: auditRule(spec.audit),
    // `serve` passes what the generic types promise.
    act: actOf(spec as unknown as Record<string, never>),
  } satisfies Omit<Route, 'errors'>
  requireDistinctNames(declared)
  return { ...declared, errors: new Set([...(spec.errors ?? []), ...impliedErrors(declared)]) }
}

function actOf(spec: Record<string, never>): Act {
  const { read, write, prepare, run, respond } = spec as Record<string, ((...given: unknown[]) => unknown) | undefined>
  return {
    ...(read && { kind: 'read', run: read }),
    ...(write && { kind: 'write', prepare: prepare ?? (async () => undefined), run: write }),
    ...(run && { kind: 'run', run }),
    ...(respond && { kind: 'respond', run: respond }),
  } as unknown as Act
}
