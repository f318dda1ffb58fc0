-- A trial may be about a version of a skill: `baseline` and `candidate` are its versions then, and the agent is the one
-- whose work gave rise to it.
alter table org_trials add column skill text check (skill <> '');
create unique index org_trials_open_skill on org_trials (skill) where ended_at is null and skill is not null;
