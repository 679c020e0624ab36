(** * The largest Rand distance given the misclassification error distance

    Let k be the weight of a best matching of a table with r <= s and m = n - k (so MED = m/n).  Then
      F2 <= 2 k m + m^2 - balanced_squares m (s-1),
    with F2 = n(n-1) RD.  Write the table as y + z, y on a best matching.  F2 is the quadratic form of the
    rook's graph, so F2 = F2(y) + 2 <y,z> + F2(z).  Matched cells are pairwise not adjacent: F2(y) = 0.  Each
    object of z sees at most the k objects of y: <y,z> <= k m.  The cells off the matching have no clique
    of more than s-1 cells, and Turan's theorem, for weights, gives F2(z) <= m^2 - balanced_squares m (s-1). *)

From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ------------------------------------------------------------------ *)
(** ** Parts of a table *)

Section Parts.
Variables (r s : nat).
Implicit Types (x y z : table r s) (u v : 'I_r * 'I_s) (p : pred ('I_r * 'I_s)).

Definition part p x : table r s := fun i j => p (i, j) * x i j.

Lemma partE p x u : part p x u.1 u.2 = p u * x u.1 u.2.
Proof. by case: u. Qed.

Lemma part_split p x u : x u.1 u.2 = part p x u.1 u.2 + part (predC p) x u.1 u.2.
Proof. by rewrite !partE /=; case: (p u); rewrite ?mul1n ?mul0n ?addn0. Qed.

Lemma total_parts p x : total x = total (part p x) + total (part (predC p) x).
Proof. by rewrite !total_pair -big_split; apply: eq_bigr => u _; apply: part_split. Qed.

Lemma degree_parts p x u : degree x u = degree (part p x) u + degree (part (predC p) x) u.
Proof. by rewrite /degree -big_split; apply: eq_bigr => v _; rewrite /= -mulnDr -part_split. Qed.

Lemma degree_le_total x u : degree x u <= total x.
Proof. by rewrite total_pair; apply: leq_sum => v _; case: (adjacent u v); rewrite ?mul1n. Qed.

(* F2 (y + z) = F2(y) + <z,y> + <z,y+z> *)
Lemma F_parts p x (y := part p x) (z := part (predC p) x) :
  F2 x = F2 y + rook_form z y + rook_form z x.
Proof.
have {1}-> : F2 x = rook_form y x + rook_form z x.
  by rewrite F_rook /rook_form -big_split; apply: eq_bigr => u _; rewrite /= {1}(part_split p x) mulnDl.
congr (_ + _); rewrite F_rook (rook_form_sym z) /rook_form -big_split.
by apply: eq_bigr => u _; rewrite /= -mulnDr -degree_parts.
Qed.
End Parts.

(* ------------------------------------------------------------------ *)
(** ** Turan's theorem off a matching

    Let z vanish on the matching f and let m be its total.  Take a positive cell (i,j) of largest degree
    d and let N be the part of z on the cells adjacent to (i,j).  The other objects, m - d of them, see
    at most d each, so F2(z) <= F2(N) + 2 d (m-d).  N consists of a piece of row i and a piece of column j,
    of totals R and C, no cell of the one adjacent to a cell of the other:
      F2(N) = R^2 + C^2 - (sum of the squares of N).
    Last, spread m over the s-1 columns other than f i: m-d on column j, N(i,l) + N(k,j) on column
    l = f k.  So balanced_squares m (s-1) <= (m-d)^2 + (sum of the squares of N) + 2 R C. *)

Section Star.
Variables (r s : nat) (z : table r s) (f : 'I_r -> 'I_s).
Hypothesis f_inj : injective f.
Hypothesis z_off : forall k, z k (f k) = 0.
Variables (i : 'I_r) (j : 'I_s).
Hypothesis zij : 0 < z i j.

Let N := part (adjacent (i, j)) z.
Let d := degree z (i, j).
Let R := row_sum N i.
Let C := col_sum N j.
Let SR := \sum_(l < s) N i l ^ 2.
Let SC := \sum_(k < r) N k j ^ 2.

Lemma star_corner : N i j = 0.
Proof. by rewrite /N /part /adjacent !eqxx. Qed.

Lemma star_off : forall k, N k (f k) = 0.
Proof. by move=> k; rewrite /N /part z_off muln0. Qed.

Lemma star_elsewhere k l : k != i -> l != j -> N k l = 0.
Proof. by rewrite /N /part /adjacent /= ![_ == i]eq_sym ![_ == j]eq_sym => /negbTE -> /negbTE ->. Qed.

Lemma star_row k : k != i -> row_sum N k = N k j.
Proof.
move=> ki; rewrite /row_sum (bigD1 j) //= big1 ?addn0 // => l lj; exact: star_elsewhere.
Qed.

Lemma star_col l : l != j -> col_sum N l = N i l.
Proof.
move=> lj; rewrite /col_sum (bigD1 i) //= big1 ?addn0 // => k ki; exact: star_elsewhere.
Qed.

Lemma star_total : total N = d.
Proof. by rewrite total_pair /d /degree; apply: eq_bigr => u _; rewrite /N partE. Qed.

Lemma star_degree : d = R + C.
Proof.
rewrite -star_total total_rows (bigD1 i) //= -/R; congr (_ + _).
rewrite /C /col_sum [RHS](bigD1 i) //= star_corner add0n; apply: eq_bigr => k; exact: star_row.
Qed.

Lemma star_F : F2 N + (SR + SC) = R ^ 2 + C ^ 2.
Proof.
have eR : \sum_(k < r) row_sum N k ^ 2 = R ^ 2 + SC.
  rewrite (bigD1 i) //=; congr (_ + _); rewrite /SC [RHS](bigD1 i) //= star_corner.
  by apply: eq_bigr => k ki; rewrite star_row.
have eC : \sum_(l < s) col_sum N l ^ 2 = C ^ 2 + SR.
  rewrite (bigD1 j) //=; congr (_ + _); rewrite /SR [RHS](bigD1 j) //= star_corner.
  by apply: eq_bigr => l lj; rewrite star_col.
have eS : squares N = SR + SC.
  rewrite /squares (bigD1 i) //=; congr (_ + _); rewrite /SC [RHS](bigD1 i) //= star_corner add0n.
  apply: eq_bigr => k ki; rewrite (bigD1 j) //= big1 ?addn0 // => l lj.
  by rewrite star_elsewhere.
by have := F_exact N; rewrite eR eC eS; lia.
Qed.

(* the column piece, moved to row i by the matching *)
Let moved l := \sum_(k < r) (f k == l) * N k j.

Lemma moved_at k : moved (f k) = N k j.
Proof.
rewrite /moved (eq_bigr (fun k' => (k' == k) * N k' j)) => [|k' _]; last by rewrite (inj_eq f_inj).
exact: (sum_pick k (fun k' => N k' j)).
Qed.

Lemma moved_corner : moved j = 0.
Proof.
by rewrite /moved big1 // => k _; case: (f k =P j) => [<-|]; rewrite ?mul0n // star_off muln0.
Qed.

Lemma sum_moved (h : 'I_s -> nat) : \sum_(l < s) moved l * h l = \sum_(k < r) N k j * h (f k).
Proof.
rewrite /moved; under eq_bigr do rewrite big_distrl /=.
rewrite exchange_big; apply: eq_bigr => k _ /=.
rewrite -[RHS](sum_pick_sym (f k) (fun l => N k j * h l)).
by apply: eq_bigr => l _; rewrite mulnA.
Qed.

Section Spread.
Variable w : nat.      (* what goes to column j *)
Let spread l := (l == j) * w + N i l + moved l.

Lemma spread_total : \sum_(l < s) spread l = w + d.
Proof.
rewrite star_degree addnA !big_split /=; congr (_ + _ + _).
  exact: (sum_pick j (fun=> w)).
rewrite (eq_bigr (fun l => moved l * 1)) => [|l _]; last by rewrite muln1.
by rewrite (sum_moved (fun=> 1)); apply: eq_bigr => k _; rewrite muln1.
Qed.

Lemma spread_off : spread (f i) = 0.
Proof.
rewrite /spread star_off moved_at star_corner; case: (f i =P j) => [e|] //=.
by have := z_off i; rewrite e; lia.
Qed.

Lemma spread_squares : \sum_(l < s) spread l ^ 2 <= w ^ 2 + (SR + SC) + 2 * (R * C).
Proof.
have e l : spread l ^ 2 =
    (l == j) * w ^ 2 + N i l ^ 2 + moved l * moved l + (N i l * moved l + N i l * moved l).
  rewrite /spread -!mulnn; case: (l =P j) => [->|_]; last by lia.
  by rewrite star_corner moved_corner; lia.
rewrite (eq_bigr _ (fun l _ => e l)) !big_split /= (sum_pick j (fun=> w ^ 2)) -/SR.
have -> : \sum_(l < s) moved l * moved l = SC.
  by rewrite sum_moved; apply: eq_bigr => k _; rewrite moved_at mulnn.
rewrite -!addnA !leq_add2l mul2n -addnn; apply: leq_add.
all: rewrite /R /row_sum big_distrl /=.
all: apply: leq_sum => l _; rewrite leq_mul2l; apply/orP; right.
all: by apply: leq_sum => k _; case: (f k == l); rewrite ?mul1n.
Qed.

Lemma spread_balanced : balanced_squares (w + d) s.-1 <= w ^ 2 + (SR + SC) + 2 * (R * C).
Proof.
apply: leq_trans spread_squares; move: spread spread_total spread_off => h <-.
move: (f i) => l0; case: s l0 h => [[//]|s'] l0 h h0 /=.
have lift_sum (g : 'I_s'.+1 -> nat) : g l0 = 0 -> \sum_(l < s') g (lift l0 l) = \sum_(l < s'.+1) g l.
  by move=> g0; rewrite (bigD1_ord l0) //= g0.
by rewrite -(lift_sum h h0) -(lift_sum (fun l => h l ^ 2)) ?h0 //; apply: balanced_squares_le.
Qed.
End Spread.

Lemma star_bound : (forall u, 0 < z u.1 u.2 -> degree z u <= d) ->
  F2 z + balanced_squares (total z) s.-1 <= total z ^ 2.
Proof.
move=> d_max; pose W := part (predC (adjacent (i, j))) z.
have tz : total z = total W + d by rewrite (total_parts (adjacent (i, j))) star_total addnC.
have hW : rook_form W z <= d * total W.
  rewrite total_pair big_distrr; apply: leq_sum => u _ /=; rewrite mulnC.
  rewrite /W partE; case: (posnP (z u.1 u.2)) => [->|/d_max h]; first by rewrite muln0 !muln0.
  by rewrite leq_mul2r h orbT.
have hWN : rook_form W N <= rook_form W z.
  apply: leq_sum => u _; rewrite leq_mul2l; apply/orP; right.
  by rewrite (degree_parts (adjacent (i, j)) z) leq_addr.
have hN := star_F; have hB := spread_balanced (total W); rewrite -tz in hB.
rewrite (F_parts (adjacent (i, j)) z) -/W -/N.
move: hB hN hW hWN; rewrite tz star_degree.
move: (R) (C) (SR) (SC) (total W) (F2 N) (rook_form W z) (rook_form W N) (balanced_squares _ _).
by move=> R' C' sR sC w FN b a B; rewrite -!mulnn; clear; lia.
Qed.
End Star.

Theorem turan_off_matching r s (z : table r s) (f : 'I_r -> 'I_s) :
  injective f -> (forall k, z k (f k) = 0) ->
  F2 z + balanced_squares (total z) s.-1 <= total z ^ 2.
Proof.
move=> f_inj z_off.
have [/existsP [u0 z0]|/existsPn no] := boolP [exists u : 'I_r * 'I_s, 0 < z u.1 u.2].
  pose u := [arg max_(u > u0 | 0 < z u.1 u.2) degree z u].
  have [zu umax] : 0 < z u.1 u.2 /\ forall v, 0 < z v.1 v.2 -> degree z v <= degree z u.
    by rewrite /u; case: arg_maxnP => // v.
  by clearbody u; case: u zu umax => i j /= zij umax; apply: (star_bound f_inj z_off zij).
have z0 u : z u.1 u.2 = 0 by apply/eqP; rewrite eqn0Ngt no.
have t0 : total z = 0 by rewrite total_pair big1.
have -> : F2 z = 0 by rewrite F_rook /rook_form big1 // => u _; rewrite z0.
by rewrite t0 /balanced_squares div0n mod0n mul0n muln0 addn0.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The bound *)

Theorem F_given_best r s (x : table r s) : r <= s ->
  let k := best x in let m := total x - best x in
  F2 x + balanced_squares m (s - 1) <= 2 * k * m + m ^ 2.
Proof.
move=> rs; cbv zeta; set k := best x; set m := total x - k; have [f f_inj fk] := best_attained x rs.
pose p (u : 'I_r * 'I_s) := f u.1 == u.2.
pose y := part p x; pose z := part (predC p) x.
have ty : total y = k.
  by rewrite /k -fk; apply: eq_bigr => i _; apply: (sum_pick_sym (f i) (x i)).
have tz : total z = m by rewrite /m (total_parts p x) -/y -/z ty /k addKn.
have Fy : F2 y = 0.
  rewrite F_rook /rook_form big1 // => u _; rewrite /degree big_distrr big1 //= => v _.
  rewrite /y !partE /p /adjacent; case: (f u.1 =P u.2) => [<-|_] //=; case: (f v.1 =P v.2) => [<-|_] /=.
    by rewrite (inj_eq f_inj) addbb mul0n muln0.
  by rewrite !muln0.
have zy : rook_form z y <= k * m.
  rewrite -tz -ty [total z]total_pair big_distrr; apply: leq_sum => u _ /=.
  by rewrite mulnC leq_mul2r degree_le_total orbT.
have zx : rook_form z x = rook_form z y + F2 z.
  by rewrite F_rook /rook_form -big_split; apply: eq_bigr => u _; rewrite /= -mulnDr -degree_parts.
have Fz : F2 z + balanced_squares m (s - 1) <= m ^ 2.
  rewrite -tz subn1; apply: (turan_off_matching f_inj) => i.
  by rewrite /z /part /p /= eqxx.
rewrite (F_parts p x : F2 x = F2 y + rook_form z y + rook_form z x) Fy zx -mulnA.
move: (F2 z) (rook_form z y) (balanced_squares _ _) (m ^ 2) (k * m) Fz zy.
by clear; lia.
Qed.

(* the same for labelings, with [least_mislabeled]: m is the least number of mislabeled objects *)
Theorem separated_given_mislabeled n r s (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s) : r <= s ->
  let k := best (contingency f g) in let m := n - k in
  separated f g + balanced_squares m (s - 1) <= 2 * k * m + m ^ 2.
Proof. by move=> rs /=; have := F_given_best (contingency f g) rs; rewrite contingency_total separated_F. Qed.
