// Which runs of CI get a token, for how often, and what is left of it: docs/specification.md, R89 and R90.
import { codes } from '@svc/contract/core/error-codes'
import { maskOf, presets } from '@svc/contract/core/permissions'
import { hashCredential } from '@svc/runtime/credential'
import { exchangeRun, newJob, type Run } from '@svc/testing/ci-runs'
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { describe, expect, test } from 'vitest'
import { internal, shareService } from '../running-service.ts'

const service = forFile(shareService)

async function newOwner() {
  const workspace = await service.newWorkspace()
  return { workspace, owner: await service.newMember(workspace, 'owner') }
}
type Owner = Awaited<ReturnType<typeof newOwner>>['owner']

const create = (caller: Owner, body: object) => service.ask('create_ci_trust', caller, { body })
const remove = (caller: Owner, id: unknown) =>
  service.ask('delete_ci_trust', caller, { params: { id: String(id) } })
const exchange = (run: Run) => exchangeRun(service.call, run)
const outcomeOf = async (run: Run) => (await exchange(run)).outcome
const attemptsOf = async (caller: Owner) =>
  (await service.ask('list_ci_attempts', caller)).body.data as { claims: Record<string, string> }[]

async function tokenOf(run: Run): Promise<string> {
  const answer = await exchange(run)
  if (answer.outcome !== 'issued') throw new Error(answer.outcome)
  return answer.access_token
}
const lookUp = async (token: string) => {
  const lookups = [{ kind: 'api_token', hash: hashCredential(token) }]
  const { body } = await service.ask('resolve_credentials', internal(), {
    body: { lookups, checks_addresses: true },
  })
  return (body.callers as Record<string, unknown>[])[0]
}

/** A workspace that trusts one job. */
async function newTrust(more: object = {}) {
  const { workspace, owner } = await newOwner()
  const job = newJob()
  const { status, body } = await create(owner, { ...job.trust, ...more })
  expect(status).toBe(201)
  return { workspace, owner, job, trust: body as { id: string } }
}

const { trust: example } = newJob()
const { repository_id, repository_owner_id, workflow_ref } = example.claims
const repository = { repository_id, repository_owner_id }
const project = {
  project_id: '1',
  namespace_id: '2',
  ci_config_ref_uri: 'gitlab.com/a/b//.gitlab-ci.yml@refs/heads/main',
}
const [github, gitlab] = [example.issuer, 'https://gitlab.com']

describe('a trust', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['an owner alone', github, { repository_owner_id }, 'repository_id, workflow_ref'],
    [
      'a name instead of an id',
      github,
      { repository: 'acme/shop', workflow_ref },
      'repository_id, repository_owner_id',
    ],
    ['a repository', github, repository, 'workflow_ref'],
    ['a reusable workflow on any branch', github, { ...repository, job_workflow_ref: 'w' }, 'workflow_ref'],
    ['a branch with any workflow', github, { ...repository, ref: 'refs/heads/main' }, 'workflow_ref'],
    ['a project', gitlab, { project_id: '1', namespace_id: '2' }, 'ci_config_ref_uri, ref_protected=true'],
    ['any branch of a project', gitlab, project, 'ref_protected=true'],
    ['unprotected branches', gitlab, { ...project, ref_protected: 'false' }, 'ref_protected=true'],
  ])('for %s is too wide, and the answer names what is missing', async (_, issuer, claims, missing) => {
    const { owner } = await newOwner()
    expect(await create(owner, { ...example, issuer, claims })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 42216, path: ['claims'], metadata: { missing } }] },
    })
  })

  test.each<[string, string, Record<string, string>]>([
    ['a workflow', github, { ...repository, workflow_ref }],
    [
      'a reusable workflow on a branch',
      github,
      { ...repository, job_workflow_ref: 'w', ref: 'refs/heads/main' },
    ],
    [
      'a reusable workflow in an environment',
      github,
      { ...repository, job_workflow_ref: 'w', environment: 'live' },
    ],
    ['protected branches', gitlab, { ...project, ref_protected: 'true' }],
    ['an environment', gitlab, { ...project, environment: 'live' }],
  ])('for %s is accepted and read as it was written', async (_, issuer, claims) => {
    const { owner } = await newOwner()
    const { status, body } = await create(owner, { ...example, issuer, claims })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        issuer,
        claims,
        permissions: presets.ci,
        minutes: 15,
        created_by: owner.user,
        last_used_at: null,
      },
    })
    expect((await service.ask('get_ci_trust', owner, { params: { id: String(body.id) } })).body).toEqual(body)
    expect((await service.ask('list_ci_trusts', owner)).body.data).toEqual([body])
  })

  test('a trust of an unknown issuer is refused, and no address is ever asked for', async () => {
    const { owner } = await newOwner()
    expect(await create(owner, { ...example, issuer: 'https://tenant.example' })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 42201, path: ['issuer'] }] },
    })
    expect((await create(owner, { ...example, jwks_uri: 'https://tenant.example' })).status).toBe(400)
  })

  test('grants no more than its creator has', async () => {
    const { owner } = await newOwner()
    const can = maskOf(['api_tokens:write', 'offers:read'])
    const restricted = { ...owner, can } as Owner
    expect(await create(restricted, example)).toMatchObject({
      status: 403,
      body: { errors: [{ code: 40307, metadata: { permission: 'catalogue:read' } }] },
    })
    expect((await create(restricted, { ...example, permissions: ['offers:read'] })).status).toBe(201)
  })
})

describe('a run', () => {
  test('gets a token with the permissions and the minutes of its trust, listed with the run and apart from others', async () => {
    const { workspace, owner, job, trust } = await newTrust({ permissions: ['offers:read'], minutes: 5 })
    service.clock.stop()
    const token = await tokenOf(job.run(workspace))
    const name = 'shop: acme/shop 17345'
    expect(await lookUp(token)).toEqual({
      kind: 'api_token',
      id: expect.stringMatching(/^tok_/),
      workspace,
      role: 'member',
      can: maskOf(['offers:read']),
      name,
    })
    const { body } = await service.ask('list_api_tokens', owner, { query: { kind: 'ci' } })
    expect(body.data).toMatchObject([
      {
        name,
        hint: token.slice(-4),
        permissions: ['offers:read'],
        expires_at: service.clock.seconds() + 300,
        ci_trust_id: trust.id,
        run: { repository: 'acme/shop', run_id: '17345', ref: 'refs/heads/main' },
      },
    ])
    const [{ id, run }] = body.data as [{ id: string; run: object }]
    expect((await service.ask('get_api_token', owner, { params: { id } })).body).toMatchObject({ id, run })
    expect((await service.ask('list_api_tokens', owner)).body.data).toEqual([])
    expect(await attemptsOf(owner)).toEqual([])
    service.clock.offsetSeconds = 300
    expect(await lookUp(token)).toBeNull()
    service.clock.offsetSeconds = 0
  })

  test.each<[string, Record<string, string>]>([
    ['a repository that was registered anew under the name of a renamed one', { repository_id: '2' }],
    ['a fork', { repository_id: '3', repository_owner_id: '4', repository: 'mallory/shop' }],
    ['another branch', { workflow_ref: workflow_ref.replace('main', 'dev') }],
    ['a workflow whose name begins alike', { workflow_ref: `${workflow_ref}2` }],
  ])('runs of %s get nothing and are kept as attempts', async (_, claims) => {
    const { workspace, owner, job } = await newTrust()
    const run = job.run(workspace, undefined, claims)
    expect(await outcomeOf(run)).toBe('no_trust')
    expect(await attemptsOf(owner)).toMatchObject([
      { claims: run.claims, suggested_claims: ['repository_id', 'repository_owner_id', 'workflow_ref'] },
    ])
  })

  test('runs of another issuer or for another workspace get nothing', async () => {
    const { job, workspace } = await newTrust()
    expect(await outcomeOf({ ...job.run(workspace), issuer: gitlab })).toBe('no_trust')
    expect(await outcomeOf({ ...job.run(workspace), issuer: 'https://tenant.example' })).toBe('no_trust')
    expect(await outcomeOf(job.run((await newOwner()).workspace))).toBe('no_trust')
    expect(await outcomeOf(job.run('ws_nobodys'))).toBe('no_trust')
  })

  test('gets one token for an ID token, however many ask at once', async () => {
    const { workspace, job } = await newTrust()
    const run = job.run(workspace)
    const outcomes = await Promise.all(Array.from({ length: sized(20, 200) }, () => outcomeOf(run)))
    expect(outcomes.filter(outcome => outcome !== 'used')).toEqual(['issued'])
    expect(await outcomeOf(job.run(workspace))).toBe('issued')
  })

  test('gets what the trust with the most claims says', async () => {
    const { workspace, owner, job } = await newTrust({ permissions: ['offers:read'] })
    const claims = { ...job.trust.claims, ref: 'refs/heads/main' }
    await create(owner, { ...job.trust, claims, permissions: ['offers:write'] })
    await create(owner, { ...job.trust, permissions: ['catalogue:write'] })
    expect(await exchange(job.run(workspace))).toMatchObject({ permissions: ['offers:write'] })
    const elsewhere = job.run(workspace, undefined, { ref: 'refs/heads/dev' })
    expect(await exchange(elsewhere)).toMatchObject({ permissions: ['catalogue:write'] })
  })

  test('gets nothing by a trust that pins less than the operator demands by now', async () => {
    const { workspace, job, trust } = await newTrust()
    await service.sql`update auth_tokens.ci_trusts set claims = claims - 'workflow_ref' where id = ${trust.id}`
    expect(await outcomeOf(job.run(workspace))).toBe('no_trust')
  })

  test('is named with its trust as the actor of the event', async () => {
    const { workspace, job, trust } = await newTrust()
    await tokenOf(job.run(workspace))
    const [event] = await service.sql`
      select actor, payload from auth_tokens.outbox
      where aggregate_id = ${trust.id} and subject = 'events.ci_trusts.used'`
    const id = event?.payload.api_token_id
    expect(event).toEqual({
      actor: {
        kind: 'api_token',
        id,
        name: 'shop: acme/shop 17345',
        credential_id: id,
        workspace_id: workspace,
      },
      payload: {
        workspace_id: workspace,
        api_token_id: expect.stringMatching(/^tok_/),
        expires_at: expect.any(Number),
      },
    })
  })
})

describe('deleting a trust', () => {
  test('ends its tokens and no others', async () => {
    const { workspace, owner, job, trust } = await newTrust()
    const other = newJob()
    await create(owner, other.trust)
    const [token, kept] = [await tokenOf(job.run(workspace)), await tokenOf(other.run(workspace))]
    expect((await remove(owner, trust.id)).status).toBe(204)
    expect(await lookUp(token)).toBeNull()
    expect(await lookUp(kept)).not.toBeNull()
    expect(await outcomeOf(job.run(workspace))).toBe('no_trust')
    expect((await remove(owner, trust.id)).status).toBe(404)
  })

  test('leaves nothing of the runs that ask for tokens meanwhile', async () => {
    for (let round = 0; round < sized(5, 50); round++) {
      const { workspace, owner, job, trust } = await newTrust()
      const ask = () => Promise.all(Array.from({ length: 5 }, () => exchange(job.run(workspace))))
      const [before, deleted, after] = await Promise.all([ask(), remove(owner, trust.id), ask()])
      expect(deleted.status).toBe(204)
      for (const answer of [...before, ...after]) {
        if (answer.outcome === 'issued') expect(await lookUp(answer.access_token)).toBeNull()
      }
    }
  })
})

describe('attempts', () => {
  test('replace those of the same job, and a stranger’s do not displace those of others', async () => {
    const { workspace, owner } = await newOwner()
    const ours = newJob().run(workspace, undefined, { repository: 'acme/shop', repository_owner_id: 'ours' })
    await exchange(ours)
    for (let n = 0; n < 30; n++) {
      await exchange(newJob().run(workspace, undefined, { repository_owner_id: `stranger ${n % 2}` }))
      await exchange({ ...ours, claims: { ...ours.claims, run_id: `${n}` } })
    }
    const kept = await attemptsOf(owner)
    expect(kept).toHaveLength(20)
    expect(kept.filter(({ claims }) => claims.repository_owner_id === 'ours')).toEqual([
      expect.objectContaining({ claims: { ...ours.claims, run_id: expect.any(String) } }),
    ])
  })

  test('attempts of one owner are kept up to a limit, and a week long', async () => {
    const { workspace, owner } = await newOwner()
    const job = newJob()
    for (let n = 0; n <= 20; n++) await exchange(job.run(workspace, undefined, { run_id: `${n}` }))
    expect(await attemptsOf(owner)).toMatchObject([{ claims: { run_id: '19' } }])
    service.clock.offsetSeconds = 7 * 86_400
    expect(await attemptsOf(owner)).toEqual([])
    service.clock.offsetSeconds = 0
  })
})

test('tokens of runs that have ended do not displace others that have', async () => {
  const { workspace, job, trust } = await newTrust()
  await service.sql`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at, expires_at, ci_trust_id, run)
    select 'tok_' || gen_random_uuid(), ${workspace}, 'n', sha256(gen_random_uuid()::text::bytea), 'hint', now(),
      now() - interval '1 minute' - make_interval(secs => n), case when n > 0 then ${trust.id} end,
      case when n > 0 then '{}'::jsonb end
    from generate_series(0, 150) n`
  await tokenOf(job.run(workspace))
  const [counted] = await service.sql`
    select count(*) filter (where ci_trust_id is null)::int as others, count(ci_trust_id)::int as of_runs
    from auth_tokens.api_tokens where workspace_id = ${workspace}`
  expect(counted).toEqual({ others: 1, of_runs: 101 })
})

test('a workspace has 200 live tokens of runs: the next run is refused until one has ended, and can then use the same ID token', async () => {
  const { workspace, job, trust } = await newTrust()
  await service.sql`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at, expires_at, ci_trust_id, run)
    select 'tok_' || gen_random_uuid(), ${workspace}, 'n', sha256(gen_random_uuid()::text::bytea), 'hint', now(),
      now() + interval '1 hour', ${trust.id}, '{}'
    from generate_series(1, 199)`
  const [last, next] = [job.run(workspace), job.run(workspace)]
  const token = await tokenOf(last)
  await expect(exchange(next)).rejects.toMatchObject({
    body: { errors: [{ code: codes.quota_exceeded[0], metadata: { quota: 'ci_tokens', most: '200' } }] },
  })
  await service.sql`
    update auth_tokens.api_tokens set expires_at = now() - interval '1 second'
    where hash = decode(${hashCredential(token)}, 'hex')`
  expect(await outcomeOf(next)).toBe('issued')
})
