-- A review that a lower tier gave than was asked for.
alter table org_reviews add column degraded boolean not null default false;
