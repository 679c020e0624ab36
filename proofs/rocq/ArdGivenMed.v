(** * The ARD of tables with few objects off a best matching

    n MED = n - best, and ARD = 1 - ARI, so ARD > 1 is a negative ARI.

    [ARD_above_one]: ARD > 1 if and only if AB > MP.
    [ard_above_one_iff_hook]: if m = n MED > 0, n >= (m + 4)^2 and some pair of objects is together in a cell, then
    ARD > 1 exactly if the table is a hook whose corner is the best matching, with other objects in the row and in the
    column of the corner.  Only if: [only_hooks_near].  If: [hook_product].
    [least_med_negative_ari]: for 2 <= r <= s and n >= (r + s + 2)^2 the least n MED of an r x s table without empty
    rows or columns and with ARD > 1 is r + s - 2; the hook with ones in its row and column has it. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables BestHook ArdGivenMedIntegers NearMatching.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.

(* ------------------------------------------------------------------ *)
(** ** ARD > 1 in pairs *)

Lemma above_product M A B P F : A <= M -> B <= M -> F + 4 * P = 2 * (A + B) ->
  2 * (A * (M - B) + B * (M - A)) < F * M -> M * P < A * B.
Proof.
move=> hA hB h; rewrite !mulnBr.
have k1 : A * B <= A * M by rewrite leq_mul2l hB orbT.
have k2 : B * A <= B * M by rewrite leq_mul2l hA orbT.
have k3 : (F + 4 * P) * M = 2 * (A + B) * M by rewrite h.
lia.
Qed.

Lemma above_one r s (x : table r s) : 0 < all_pairs x -> 0 < expected_numerator x -> (1 < ARD x)%R ->
  all_pairs x * cell_pairs x < row_pairs x * col_pairs x.
Proof.
move=> M0 E0; rewrite ARD_nat //; have -> : (1 = 1%:R / 1%:R :> rat)%R by rewrite divr1.
rewrite ratio_lt ?muln_gt0 ?E0 // mul1n muln1 => h.
exact: (above_product (row_pairs_le x) (col_pairs_le x) (F_pairs x) h).
Qed.

(* the converse of [above_one] *)
Lemma product_above M A B P F : A <= M -> B <= M -> F + 4 * P = 2 * (A + B) -> M * P < A * B ->
  2 * (A * (M - B) + B * (M - A)) < F * M.
Proof.
move=> hA hB h; rewrite !mulnBr.
have k1 : A * B <= A * M by rewrite leq_mul2l hB orbT.
have k2 : B * A <= B * M by rewrite leq_mul2l hA orbT.
have k3 : (F + 4 * P) * M = 2 * (A + B) * M by rewrite h.
lia.
Qed.

Lemma positive_denominator M A B P : A <= M -> B <= M -> A + B <= M + P -> M * P < A * B ->
  0 < A * (M - B) + B * (M - A).
Proof.
move=> hA hB h gt.
have A0 : 0 < A by case: (posnP A) gt => [->|].
have B0 : 0 < B by case: (posnP B) gt => [->|] //; rewrite muln0.
rewrite addn_gt0 !muln_gt0 A0 B0 /= !subn_gt0.
case: (ltnP B M) => //= BM; rewrite ltn_neqAle hA andbT; apply/eqP => AM.
have PM : M <= P by lia.
by move: gt; rewrite AM ltnNge leq_mul // (leq_trans hB PM).
Qed.

Theorem ARD_above_one r s (x : table r s) : 0 < all_pairs x ->
  (1 < ARD x)%R <-> all_pairs x * cell_pairs x < row_pairs x * col_pairs x.
Proof.
move=> M0; split=> h.
  have E0 : 0 < expected_numerator x.
    rewrite lt0n; apply/eqP => e; move: h.
    by rewrite ARD_nat // e muln0 invr0 mulr0 ltr10.
  exact: above_one.
have E0 : 0 < expected_numerator x.
  exact: positive_denominator (row_pairs_le x) (col_pairs_le x) (pairs_inclusion_exclusion x) h.
rewrite ARD_nat //; have -> : (1 = 1%:R / 1%:R :> rat)%R by rewrite divr1.
rewrite ratio_lt ?muln_gt0 ?E0 // mul1n muln1.
exact: product_above (row_pairs_le x) (col_pairs_le x) (F_pairs x) h.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Hooks *)

Section Hook.
Variables (r s : nat) (x : table r s) (i0 : 'I_r) (j0 : 'I_s).
Hypothesis z : forall i j, i != i0 -> j != j0 -> x i j = 0.
Let the_corner := x i0 j0.
Let the_arm := \sum_(j | j != j0) x i0 j.
Let the_leg := \sum_(i | i != i0) x i j0.

Lemma hook_row i : i != i0 -> row_sum x i = x i j0.
Proof. by move=> ni; rewrite /row_sum (bigD1 j0) //= big1 ?addn0 // => j nj; exact: z. Qed.
Lemma hook_col j : j != j0 -> col_sum x j = x i0 j.
Proof. by move=> nj; rewrite /col_sum (bigD1 i0) //= big1 ?addn0 // => i ni; exact: z. Qed.
Lemma hook_corner_row : row_sum x i0 = the_corner + the_arm. Proof. by rewrite /row_sum (bigD1 j0). Qed.
Lemma hook_corner_col : col_sum x j0 = the_corner + the_leg. Proof. by rewrite /col_sum (bigD1 i0). Qed.

Lemma hook_total : total x = the_corner + the_arm + the_leg.
Proof.
rewrite total_rows (bigD1 i0) //= hook_corner_row; congr (_ + _).
by apply: eq_bigr => i ni; exact: hook_row.
Qed.

Lemma hook_row_pairs : row_pairs x = 'C(the_corner + the_arm, 2) + \sum_(i | i != i0) 'C(x i j0, 2).
Proof.
rewrite /row_pairs (bigD1 i0) //= hook_corner_row; congr (_ + _).
by apply: eq_bigr => i ni; rewrite hook_row.
Qed.

Lemma hook_col_pairs : col_pairs x = 'C(the_corner + the_leg, 2) + \sum_(j | j != j0) 'C(x i0 j, 2).
Proof.
rewrite /col_pairs (bigD1 j0) //= hook_corner_col; congr (_ + _).
by apply: eq_bigr => j nj; rewrite hook_col.
Qed.

Lemma hook_cell_pairs :
  cell_pairs x = 'C(the_corner, 2) + \sum_(j | j != j0) 'C(x i0 j, 2) + \sum_(i | i != i0) 'C(x i j0, 2).
Proof.
rewrite /cell_pairs (bigD1 i0) //= (bigD1 j0) //=; congr (_ + _).
apply: eq_bigr => i ni; rewrite (bigD1 j0) //= big1 ?addn0 // => j nj.
by rewrite z.
Qed.

Lemma hook_product : 0 < the_arm -> 0 < the_leg -> 3 * (the_arm + the_leg) + 1 < total x ->
  all_pairs x * cell_pairs x < row_pairs x * col_pairs x.
Proof.
move=> a0 b0 big.
have hp : 2 * (\sum_(j | j != j0) 'C(x i0 j, 2)) <= the_arm * (the_arm - 1) by exact: sum_pairs_le.
have hq : 2 * (\sum_(i | i != i0) 'C(x i j0, 2)) <= the_leg * (the_leg - 1) by exact: sum_pairs_le.
have e : total x = the_corner + (the_arm + the_leg) by rewrite hook_total addnA.
have := hook_above_one_nat e (erefl _) a0 b0 big hp hq.
have -> : total x * (total x - 1) = 2 * all_pairs x by rewrite double_bin2'.
rewrite -!double_bin2' -!mulnDr -hook_cell_pairs -hook_row_pairs -hook_col_pairs.
by move: (all_pairs x) (cell_pairs x) (row_pairs x) (col_pairs x) => M P A B; rewrite !mulnA; lia.
Qed.
End Hook.

Definition is_full_hook r s (x : table r s) : Prop := exists i0 j0,
  [/\ x i0 j0 = best x, forall i j, i != i0 -> j != j0 -> x i j = 0,
      x i0 j0 < row_sum x i0 & x i0 j0 < col_sum x j0].

Lemma aux_range m n : (m + 4) * (m + 4) <= n -> 3 * m + 1 < n. Proof. lia. Qed.
Lemma aux_many m n : (m + 4) * (m + 4) <= n -> 1 < n. Proof. lia. Qed.

Theorem ard_above_one_iff_hook r s (x : table r s) : r <= s -> let m := total x - best x in
  0 < m -> (m + 4) * (m + 4) <= total x -> 0 < cell_pairs x -> (1 < ARD x)%R <-> is_full_hook x.
Proof.
move=> rs m m0 hn P0.
have M0 : 0 < all_pairs x by rewrite bin_gt0; exact: aux_many hn.
rewrite (ARD_above_one M0); split; first exact: only_hooks_near.
case=> [i0 [j0 [bw z ha hb]]].
have ra := hook_corner_row x i0 j0; have cb := hook_corner_col x i0 j0; have tn := hook_total z.
have a0 : 0 < \sum_(j | j != j0) x i0 j by move: ha; rewrite ra -[X in X < _]addn0 ltn_add2l.
have b0 : 0 < \sum_(i | i != i0) x i j0 by move: hb; rewrite cb -[X in X < _]addn0 ltn_add2l.
apply: (hook_product z a0 b0); apply: aux_range.
suff -> : \sum_(j | j != j0) x i0 j + \sum_(i | i != i0) x i j0 = m by [].
by rewrite /m -bw tn -addnA addKn.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The least MED with a negative ARI *)

Lemma hook_lines r s (x : table r s) i0 j0 n : in_class n x -> (forall i j, i != i0 -> j != j0 -> x i j = 0) ->
  x i0 j0 + (s - 1) + (r - 1) <= n.
Proof.
case=> [<- R C] z.
have e1 : total x = x i0 j0 + \sum_(j | j != j0) x i0 j + \sum_(i | i != i0) row_sum x i.
  by rewrite total_rows (bigD1 i0) //= {1}/row_sum (bigD1 j0).
have h1 : s - 1 <= \sum_(j | j != j0) x i0 j.
  have -> : s - 1 = \sum_(j < s | j != j0) 1 by rewrite sum1_card cardC1 card_ord subn1.
  apply: leq_sum => j nj; have := C j; rewrite /col_sum (bigD1 i0) //= big1 ?addn0 // => i ni; exact: z.
have h2 : r - 1 <= \sum_(i | i != i0) row_sum x i.
  have -> : r - 1 = \sum_(i < r | i != i0) 1 by rewrite sum1_card cardC1 card_ord subn1.
  by apply: leq_sum => i _; exact: R.
by rewrite e1 -!addnA leq_add2l leq_add.
Qed.

Lemma pairs_of_many r s n (x : table r s) : total x = n -> r * s < n -> 0 < cell_pairs x.
Proof.
move=> <- lt; rewrite lt0n; apply/eqP => e.
have : total x <= \sum_(i < r) \sum_(j < s) 1.
  apply: leq_sum => i _; apply: leq_sum => j _; rewrite leqNgt; apply/negP => h.
  have := pairs_le_cell x i j; rewrite e; case: (x i j) h => [|[|k]] //.
by rewrite !sum_nat_const !card_ord muln1 leqNgt lt.
Qed.

Lemma aux_square a b n : (a + b + 2) * (a + b + 2) <= n -> a * b < n. Proof. lia. Qed.
Lemma aux_mono a b m n : 2 <= a -> 2 <= b -> m + 2 < a + b -> (a + b + 2) * (a + b + 2) <= n -> (m + 4) * (m + 4) <= n.
Proof.
move=> a2 b2 h1 h2; apply: leq_trans h2; apply: leq_mul; lia.
Qed.
Lemma aux_end n b w r s m : 2 <= r -> 2 <= s -> m = n - b -> w = b -> w + (s - 1) + (r - 1) <= n -> r + s <= m + 2.
Proof. lia. Qed.

Lemma aux_zero a c w : 2 * a <= 2 * c + 2 * 0 * w + 0 * (0 - 1) -> a <= c. Proof. lia. Qed.

(* n MED = total - best; the bound of [least_med_negative_ari] *)
Theorem least_med_above_one r s n (x : table r s) : 2 <= r -> r <= s -> in_class n x ->
  (r + s + 2) * (r + s + 2) <= n -> (1 < ARD x)%R -> r + s <= (n - best x) + 2.
Proof.
move=> r2 rs xM hn gt; have e : total x = n by case: xM.
have s2 : 2 <= s by exact: leq_trans rs.
have P0 : 0 < cell_pairs x by apply: (pairs_of_many e); exact: aux_square hn.
have A0 : 0 < row_pairs x by apply: leq_trans P0 (cell_pairs_le_rows x).
have M0 : 0 < all_pairs x by apply: leq_ltn_trans (row_pairs_lt xM r2).
have E0 : 0 < expected_numerator x by apply: (expected_positive xM) => //; rewrite addn_gt0 A0.
have AB := above_one M0 E0 gt.
rewrite leqNgt; apply/negP => lt.
case: (posnP (n - best x)) => [m0|m0].
  have [f fI fe] := best_attained x rs.
  have em : \sum_i x i (f i) + 0 = total x.
    by rewrite fe addn0; apply/eqP; rewrite eqn_leq best_le_total e -subn_eq0 m0.
  have xw i j : x i j <= total x by apply: leq_trans (entry_le_row x i j) _; rewrite total_rows (bigD1 i) //= leq_addr.
  have hA := aux_zero (row_pairs_near xw em).
  by move: AB; rewrite ltnNge [all_pairs x * _]mulnC leq_mul // col_pairs_le.
have hm := aux_mono r2 s2 lt hn.
have := @only_hooks_near r s x rs; rewrite e => H.
have [i0 [j0 [bw z _ _]]] := H m0 hm P0 AB.
have h := hook_lines xM z.
by move: lt; rewrite ltnNge (aux_end r2 s2 (erefl _) bw h).
Qed.

Lemma hook_of_ones_best a b c : a <= b -> a + b < c -> best (@corner_hook a b c (fun=> 1) (fun=> 1)) = c.
Proof.
move=> ab big; set x := corner_hook _ _ _.
have t : total x = c + b + a by rewrite corner_hook_total !sum_nat_const !card_ord !muln1.
have xw : x ord0 ord0 = c by [].
have z i j : i != ord0 -> j != ord0 -> x i j = 0.
  rewrite /x /corner_hook => /negbTE ni /negbTE nj.
  by rewrite -[i == 0 :> nat]/(i == ord0) -[j == 0 :> nat]/(j == ord0) ni nj.
have o : off x ord0 ord0 = 0.
  by rewrite /off big1 // => i ni; rewrite big1 // => j nj; exact: z.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  have := @best_le_off _ _ x ab ord0 ord0; rewrite o addn0 xw; apply; rewrite t; lia.
by have := @best_ge_cell _ _ x ab ord0 ord0; rewrite xw.
Qed.

Lemma aux_corner a b n : 0 < a -> 0 < b -> (a.+1 + b.+1 + 2) * (a.+1 + b.+1 + 2) <= n ->
  exists c, [/\ n = c + b + a, a + b < c & 3 * (b + a) + 1 < n].
Proof. by move=> a0 b0 h; exists (n - (a + b)); split; lia. Qed.

(* least n MED of r x s tables with a negative ARI *)
Theorem least_med_negative_ari r s n : 2 <= r -> r <= s -> (r + s + 2) * (r + s + 2) <= n ->
  (forall x : table r s, in_class n x -> (1 < ARD x)%R -> r + s - 2 <= n - best x) /\
  (exists x : table r s, [/\ in_class n x, (1 < ARD x)%R & n - best x = r + s - 2]).
Proof.
case: r s => [|[|a']] [|[|b']] // r2 rs hn.
split=> [x xM gt|].
  by have := least_med_above_one r2 rs xM hn gt; move: (n - best x) => k; lia.
set a := a'.+1; set b := b'.+1; rewrite -/a -/b in rs hn *.
have [c [en bc big]] := @aux_corner a b n isT isT hn.
pose ones := fun _ : nat => 1; pose x := @corner_hook a b c ones ones.
have sb : \sum_(j < b) ones j = b by rewrite sum_nat_const card_ord muln1.
have sa : \sum_(i < a) ones i = a by rewrite sum_nat_const card_ord muln1.
have xM : in_class n x.
  have -> : n = c + \sum_(j < b) ones j + \sum_(i < a) ones i by rewrite sb sa.
  exact: corner_hook_in_class.
have t : total x = n by case: xM.
have z i j : i != ord0 -> j != ord0 -> x i j = 0.
  rewrite /x /corner_hook => /negbTE ni /negbTE nj.
  by rewrite -[i == 0 :> nat]/(i == ord0) -[j == 0 :> nat]/(j == ord0) ni nj.
have ra : \sum_(j | j != ord0) x ord0 j = b.
  have := hook_corner_row x ord0 ord0; rewrite corner_hook_row /= sb => /eqP.
  by rewrite eqn_add2l => /eqP.
have cb : \sum_(i | i != ord0) x i ord0 = a.
  have := hook_corner_col x ord0 ord0; rewrite corner_hook_col /= sa => /eqP.
  by rewrite eqn_add2l => /eqP.
exists x; split=> //.
  have M0 : 0 < all_pairs x by rewrite bin_gt0 t; lia.
  rewrite (ARD_above_one M0); apply: (hook_product z); rewrite ?ra ?cb ?t //.
have -> : best x = c by apply: hook_of_ones_best.
by rewrite en -addnA addKn addSn addnS addnC !subSS subn0.
Qed.
