import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { lazy } from "react";
import { Button } from "@/shared/ui/Button";
import { Card, CardHead, Loaded } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import { Tag } from "@/shared/ui/Tag";
import { colleagues } from "./queries";

const ColleagueDialog = lazy(() => import("./ColleagueDialog"));

/** /account/colleagues: the people of the company, and the way to ask for another. */
export function ColleaguesPart() {
  const people = useQuery(colleagues);
  const popup = usePopup();
  return (
    <Card aria-labelledby="colleagues" aria-busy={people.isFetching}>
      <CardHead title="Colleagues" id="colleagues">
        <Button size="small" icon={<UserPlus />} onClick={() => popup.show(true)}>
          Invite a colleague
        </Button>
      </CardHead>
      <Loaded query={people}>
        {(data) => (
          <ul className="divided">
            {data.map(({ email, manager, is_waiting }) => (
              <li
                key={email}
                className="flex flex-wrap items-center justify-between gap-8 py-12 px-card"
              >
                <span className="wrap-anywhere">
                  <strong className="block">{manager}</strong>
                  <span className="text-13 text-ink-2">{email}</span>
                </span>
                {is_waiting && <Tag tone="warn">Waiting for approval</Tag>}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Part>{popup.subject && <ColleagueDialog key={popup.number} {...popup.dialog} />}</Part>
    </Card>
  );
}
