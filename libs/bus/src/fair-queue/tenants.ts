import { Among, type Share } from './among.ts'

export interface Member<Job> extends Share {
  readonly tenant: Tenant<Job>
  readonly name: string
  readonly jobs: Set<Job>
}

export interface Tenant<Job> extends Share {
  readonly name: string
  readonly members: Map<string, Member<Job>>
  readonly among: Among<Member<Job>>
}

export class Tenants<Job> {
  readonly #known = new Map<string, Tenant<Job>>()
  readonly among = new Among<Tenant<Job>>()

  get size() {
    return this.#known.size
  }

  memberOf(tenantName: string, name: string): Member<Job> {
    let tenant = this.#known.get(tenantName)
    if (!tenant) {
      tenant = { name: tenantName, members: new Map(), among: new Among(), held: 0, waiting: 0 }
      this.#known.set(tenantName, tenant)
    }
    let member = tenant.members.get(name)
    if (!member) {
      member = { tenant, name, jobs: new Set(), held: 0, waiting: 0 }
      tenant.members.set(name, member)
    }
    return member
  }

  forget(member: Member<Job>): void {
    const { tenant } = member
    if (member.held === 0 && member.waiting === 0) tenant.members.delete(member.name)
    if (tenant.members.size === 0) this.#known.delete(tenant.name)
  }

  hold(member: Member<Job>, by: 1 | -1): void {
    this.among.hold(member.tenant, by)
    member.tenant.among.hold(member, by)
  }

  wait(member: Member<Job>, by: 1 | -1): void {
    this.among.wait(member.tenant, by)
    member.tenant.among.wait(member, by)
  }

  *jobs(): Iterable<Job> {
    for (const { members } of this.#known.values()) for (const { jobs } of members.values()) yield* jobs
  }
}
