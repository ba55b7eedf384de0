import { useQuery } from "@tanstack/react-query";
import { addressBook } from "@/api/addresses";
import { type ShipFields, shipOf } from "@/domain/shipping";
import { SelectField } from "@/shared/ui/Field";

interface SavedAddressesProps {
  value: ShipFields;
  onChoose: (address: ShipFields) => void;
}

/** The company's address book above the fields; nothing where it is empty. */
export function SavedAddresses({ value, onChoose }: SavedAddressesProps) {
  const { data } = useQuery(addressBook);
  if (!data || data.addresses.length === 0) return null;
  const now = JSON.stringify(shipOf(value));
  const chosen = data.addresses.find((address) => JSON.stringify(shipOf(address)) === now);
  return (
    <SelectField
      label="Address book"
      value={chosen?.address_id ?? ""}
      onChange={({ target }) => {
        const found = data.addresses.find(({ address_id }) => String(address_id) === target.value);
        if (found) onChoose(shipOf(found));
      }}
    >
      {!chosen && <option value="">Another address</option>}
      {data.addresses.map(({ address_id, name }) => (
        <option key={address_id} value={address_id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
